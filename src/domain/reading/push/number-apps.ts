// Apps whose model reads the id of a subscription from a JSON number alone. All others read a text, as the API
// documents it.

import type { App } from "../../../platform/app.ts";
import { findApp } from "../../people/oauth/apps.ts";

/** `name`: as the app registers itself. `read`: when its source said so. */
const NUMBER_APPS = [
  {
    name: "IceCubesApp",
    source:
      "https://github.com/Dimillian/IceCubesApp/blob/main/Packages/Models/Sources/Models/PushSubscription.swift",
    read: "2026-11",
  },
] as const;

const NAMES: ReadonlySet<string> = new Set(NUMBER_APPS.map(({ name }) => name));

/** Whether the app of these credentials takes nothing but a number. */
export const wantsNumber = async (app: App, appId: string | null): Promise<boolean> =>
  appId !== null && NAMES.has((await findApp(app, appId))?.name ?? "");
