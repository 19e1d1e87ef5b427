// Ends invitations for the staff.

import type { App } from "../../../platform/app.ts";
import { stopInvite } from "../../people/users/invites.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { recorded } from "../../base/audit/recorded.ts";

/** Throws NotFound for one that has ended. */
export const endInviteAs = (app: App, actor: Actor, id: string): Promise<void> =>
  recorded(app, actor, "invites.manage", async (tx) => {
    const { code, username } = await stopInvite(app, tx, id, null);
    const target = { type: "invite", id, label: `@${username}` };
    return { entry: { action: "invite.end", target, details: { code } } };
  });
