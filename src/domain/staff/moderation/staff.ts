// Finds members of the staff.

import type { App } from "../../../platform/app.ts";
import { bitsOf } from "../../base/roles/permissions.ts";
import { selectStaff } from "./queries.ts";
import type { ModeratorRow } from "./queries.ts";

/** Returns people who may manage reports. */
export const reportManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, bitsOf(["administrator", "manage_reports"]));

/** Returns people who may decide appeals. */
export const appealManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, bitsOf(["administrator", "manage_appeals"]));

/** Returns people who may decide about held posts. */
export const spamManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, bitsOf(["administrator", "manage_blocks"]));

/** Returns people who may manage users. */
export const userManagers = (app: App): Promise<ModeratorRow[]> =>
  selectStaff(app.sql, bitsOf(["administrator", "manage_users"]));
