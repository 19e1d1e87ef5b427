// What auxiliary providers are used for (federation/fasp/): slices ask before they want something of one, so that a
// server without providers does nothing more.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { getSetting, setSetting } from "./settings.ts";

export const isInUse = async (app: App, capability: string): Promise<boolean> =>
  (await getSetting(app, "fasp_in_use", [])).includes(capability);

export const setInUse = (app: App, tx: Tx, capabilities: string[]): Promise<void> =>
  setSetting(app, "fasp_in_use", capabilities, tx);
