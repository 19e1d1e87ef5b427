// Lists apps that read the id of a subscription from a JSON number alone. All others read a text, as the API documents
// it.

import type { App } from "../../../platform/app.ts";
import { findApp } from "../../people/oauth/apps.ts";

/** `name` is that of the app's registration; `read` is when its source showed this. */
const NUMBER_APPS = [
  {
    name: "IceCubesApp",
    source:
      "https://github.com/Dimillian/IceCubesApp/blob/main/Packages/Models/Sources/Models/PushSubscription.swift",
    read: "2026-11",
  },
] as const;

const NAMES: ReadonlySet<string> = new Set(NUMBER_APPS.map(({ name }) => name));

/** Returns whether the app of these credentials accepts only a number. */
export const wantsNumber = async (app: App, appId: string | null): Promise<boolean> =>
  appId !== null && NAMES.has((await findApp(app, appId))?.name ?? "");
