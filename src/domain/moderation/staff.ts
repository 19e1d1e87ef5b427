// The staff of the server (contract: limits.json, role_permission_bits).

import type { App } from "../../platform/app.ts";
import { selectStaff } from "./queries.ts";
import type { ModeratorRow } from "./queries.ts";

const ADMINISTRATOR = 1;
const MANAGE_REPORTS = 16;
const MANAGE_USERS = 1024;

/** Those who may manage reports. */
export const reportManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, ADMINISTRATOR | MANAGE_REPORTS);

/** Those who may manage users. */
export const userManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, ADMINISTRATOR | MANAGE_USERS);
