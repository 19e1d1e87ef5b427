// The staff of the server (contract: limits.json, role_permission_bits).

import type { App } from "../../platform/app.ts";
import { selectStaff } from "./queries.ts";
import type { ModeratorRow } from "./queries.ts";

const ADMINISTRATOR = 1;
const MANAGE_REPORTS = 16;

/** Those who may manage reports. */
export const reportManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, ADMINISTRATOR | MANAGE_REPORTS);
