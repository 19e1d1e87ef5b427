// Lets the staff change the owner of groups, which are suspended and deleted like any account.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { acct } from "../../people/accounts/present.ts";
import { transferIn } from "../../reading/groups/edit.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { recorded } from "../../base/audit/recorded.ts";

/** Makes somebody of this server the owner of a group, such as of one whose owner was deleted. */
export const transferGroupAs = (
  app: App,
  actor: Actor,
  groupId: string,
  to: string,
): Promise<void> =>
  recorded(app, actor, "groups.write", async (tx) => {
    const person = await getAccount(app, to);
    if (person.domain !== null || person.role === null) {
      throw new Unprocessable("Only a person of this server can own a group");
    }
    await transferIn(app, tx, groupId, { by: null, to });
    const label = acct(await getAccount(app, groupId));
    const target = { type: "group", id: groupId, label: `@${label}` };
    return { entry: { action: "group.transfer", target, details: { to: acct(person) } } };
  });
