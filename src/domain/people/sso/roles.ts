// Gives people the roles that a provider's groups give, where the staff has said which; owners keep theirs.

import type { Identity } from "#sso";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { audit } from "../../base/audit/audit.ts";
import { EVERYONE_ID, OWNER_ID, listRoles } from "../../base/roles/roles.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import { changeRole } from "../users/staff.ts";
import { selectHolder } from "./queries.ts";
import { roleName } from "./rules.ts";
import type { Source } from "./tables.ts";

/** Does nothing where the provider decides about no roles, or names one that there is not. */
export const keepRole = async (
  app: App,
  tx: Db,
  userId: string,
  provider: Source,
  identity: Identity,
): Promise<void> => {
  const name = roleName(provider.settings, identity);
  const holder = name === null ? null : await selectHolder(tx, userId);
  if (name === null || !holder || holder.role_id === OWNER_ID) return;
  const roles = await listRoles(app, tx);
  const isNamed = (role: { name: string }) => role.name.toLowerCase() === name.toLowerCase();
  const role = roles.find(name === "" ? ({ id }) => id === EVERYONE_ID : isNamed);
  if (!role || role.id === OWNER_ID || role.id === holder.role_id) return;
  await changeRole(tx, holder.account_id, role);
  await audit(app, tx, COMMAND_LINE, {
    action: "account.change_role",
    target: { type: "account", id: holder.account_id, label: holder.username },
    details: { to: role.name, provider: provider.name },
  });
};
