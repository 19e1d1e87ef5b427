// What trends elsewhere, as auxiliary providers say (federation/fasp/): candidates beside those of this server.

import type { App } from "../../../platform/app.ts";
import { upsertHints } from "./queries.ts";
import type { Hint } from "./queries.ts";

export type { Hint };

/** Stores hints, which count for a day. */
export const storeHints = async (app: App, hints: Hint[]): Promise<void> =>
  void (await upsertHints(app.sql, hints, app.clock.now()));
