// An author elsewhere allows a local answer or boost, or refuses it. What waits for that was seen by nobody but its own
// author: what follows from a new post follows then.

import type { App } from "../../platform/app.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { emit } from "../../platform/outbox/index.ts";
import "./events.ts";
import "./quotes/events.ts";
import { lockOwnAnswer } from "./queries-approvals.ts";
import { updateStatus } from "./queries-write.ts";
import { removeStatuses } from "./remove.ts";

/** `uri`: of the answer or of the Announce; `authorId`: who was asked. */
export type Asked = { uri: string; authorId: string };

/** False: there is no such answer or boost, or it has this authorization. */
export const approveStatus = (
  app: App,
  { uri, authorId }: Asked,
  approvalUri: string,
): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const own = await lockOwnAnswer(tx, uri, authorId);
    if (!own || own.approval_uri === approvalUri) return false;
    const { id } = own;
    await updateStatus(tx, id, { awaits_approval: false, approval_uri: approvalUri });
    if (own.awaits_approval) {
      const above = (own.reblog_of_id ?? own.in_reply_to_id)!;
      invalidate(tx, `account:${own.account_id}`, `status:${above}`);
      await emit(app, tx, "status.created", [{ id }]);
      // Whom it quotes was not shown it before; without a quote that waits nothing comes of this.
      await app.jobs.add(tx, "quote.requested", { statusId: id });
    } else if (own.reblog_of_id === null) {
      await app.jobs.add(tx, "status.approved", { id });
    }
    return true;
  });

/** A boost is gone; what somebody wrote stays, with them alone. */
export const refuseStatus = (app: App, { uri, authorId }: Asked): Promise<void> =>
  app.sql.begin(async (tx) => {
    const own = await lockOwnAnswer(tx, uri, authorId);
    if (own?.awaits_approval && own.reblog_of_id !== null) await removeStatuses(app, tx, [own.id]);
  });
