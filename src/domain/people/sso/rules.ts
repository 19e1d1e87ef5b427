// Who may enter by a provider, and which role they get. Nothing here depends on a protocol.

import type { Identity } from "#sso";
import type { EntryRules } from "./tables.ts";

/** Whether the provider's groups let somebody in. */
export const mayEnter = ({ groups }: EntryRules, identity: Pick<Identity, "groups">): boolean =>
  groups.length === 0 || groups.some((group) => identity.groups.includes(group));

/** Returns the name of the role that the groups give; "" for none, null where the provider decides about no roles. */
export const roleName = (
  { roles }: EntryRules,
  identity: Pick<Identity, "groups">,
): string | null => {
  if (roles.length === 0) return null;
  return roles.find(({ group }) => identity.groups.includes(group))?.role ?? "";
};
