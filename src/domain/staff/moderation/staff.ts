// Finds members of the staff.

import type { App } from "../../../platform/app.ts";
import { bitsOf } from "../../base/roles/permissions.ts";
import type { Permission } from "../../base/roles/permissions.ts";
import { selectStaff } from "./queries.ts";

const peopleWho = (may: Permission) => (app: App) =>
  selectStaff(app.sql, bitsOf(["administrator", may]));

export const reportManagers = peopleWho("manage_reports");
export const appealManagers = peopleWho("manage_appeals");
/** They decide about held posts. */
export const spamManagers = peopleWho("manage_blocks");
export const userManagers = peopleWho("manage_users");
