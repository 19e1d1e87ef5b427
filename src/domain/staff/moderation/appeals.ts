// Decides appeals: approving one undoes the decision, as far as that is possible.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { liftLimit } from "../../people/accounts/standing.ts";
import { enableUser } from "../../people/users/staff.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { unmarkSensitive } from "../../posts/statuses/edit.ts";
import { decideAppeal } from "../../reading/strikes/appeals.ts";
import { loadStrikes } from "../../reading/strikes/strikes.ts";
import type { StrikeAction, StrikeView } from "../../reading/strikes/tables.ts";
import { accountTarget } from "./accounts.ts";
import { recorded } from "../../base/audit/recorded.ts";
import "./events.ts";

/** Acts that undo decisions; deleted posts do not come back, and a warning has no effect to undo. */
const UNDO: Partial<Record<StrikeAction, (tx: Tx, strike: StrikeView) => Promise<unknown>>> = {
  disable: (tx, { target_account_id: id }) => enableUser(tx, id),
  sensitive: (tx, { target_account_id: id }) => liftLimit(tx, id, "sensitive"),
  silence: (tx, { target_account_id: id }) => liftLimit(tx, id, "silence"),
  suspend: (tx, { target_account_id: id }) => liftLimit(tx, id, "suspend"),
  mark_statuses_as_sensitive: (tx, { status_ids: ids }) => unmarkSensitive(tx, ids ?? []),
};

const deciding =
  (approved: boolean) =>
  async (app: App, actor: Actor, strikeId: string): Promise<void> => {
    const strike = orNotFound((await loadStrikes(app, [strikeId])).get(strikeId));
    await recorded(app, actor, "appeals.decide", async (tx) => {
      await decideAppeal(app, tx, strikeId, { approved, by: actor.accountId });
      const undo = approved ? UNDO[strike.action] : undefined;
      await undo?.(tx, strike);
      if (undo) {
        await app.jobs.add(tx, "account.standing_changed", { id: strike.target_account_id });
      }
      const action = approved ? "appeal.approve" : "appeal.reject";
      const details = { strike: strikeId, decision: strike.action };
      return { entry: { action, target: accountTarget(strike.target), details } };
    });
  };

export const approveAppeal = deciding(true);
export const rejectAppeal = deciding(false);
