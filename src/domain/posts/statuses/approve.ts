// Lets authors allow or refuse what others do with their posts: local replies to and boosts of remote posts, and
// quotes. Each decision is one transaction with the count and the job that publishes it.

import type { App } from "../../../platform/app.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { authorizationUri } from "../../people/approvals/requests.ts";
import { afterAct, ownTarget } from "./acts.ts";
import "./events.ts";
import { loadStatuses } from "./load.ts";
import {
  deleteQuote,
  lockOwnAnswer,
  lockQuote,
  selectQuote,
  updateQuote,
} from "./queries-approvals.ts";
import type { FullQuote } from "./queries-approvals.ts";
import { addStatusCounts } from "./queries-write.ts";
import { updateStatus } from "./queries-edit.ts";
import { removeStatuses } from "./remove.ts";
import type { SeenStatus, StatusView } from "./tables.ts";

export {
  selectInteraction as findInteraction,
  selectInteractionById as findInteractionById,
  selectLocalQuoting as localQuotesOf,
  selectOwnFavourite as findOwnFavourite,
  selectQuote as findQuote,
  selectQuoteById as findQuoteById,
} from "./queries-approvals.ts";
export type { FullQuote } from "./queries-approvals.ts";

/** `uri` is that of the reply or the Announce; `authorId` is the author who was asked. */
type Request = { uri: string; authorId: string };

/** Returns false where there is no such reply or boost, or it has this authorization already. */
export const approveStatus = (
  app: App,
  { uri, authorId }: Request,
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
      // The quoted author was not shown it before; without a waiting quote the job does nothing.
      await app.jobs.add(tx, "quote.requested", { statusId: id });
    } else if (own.reblog_of_id === null) {
      await app.jobs.add(tx, "status.approved", { id });
    }
    return true;
  });

/** Deletes a refused boost; a refused reply stays visible to its author alone. */
export const refuseStatus = (app: App, { uri, authorId }: Request): Promise<void> =>
  app.sql.begin(async (tx) => {
    const own = await lockOwnAnswer(tx, uri, authorId);
    if (own?.awaits_approval && own.reblog_of_id !== null) await removeStatuses(app, tx, [own.id]);
  });

const count = async (tx: Tx, quote: FullQuote, by: 1 | -1): Promise<void> => {
  if (quote.quoted_status_id)
    await addStatusCounts(tx, [{ id: quote.quoted_status_id, quotes: by }]);
};

type Acceptance = {
  statusId: string;
  quoted: StatusView;
  /** URI of a remote author's authorization; null where none is needed, or the author is local. */
  approvalUri: string | null;
};

/** Shows the quote from now on. Returns false when it was accepted already, or was revoked, which is final. */
export const acceptQuote = (app: App, acceptance: Acceptance): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const { statusId, quoted } = acceptance;
    const quote = await lockQuote(tx, statusId);
    if (!quote || quote.state === "revoked") return false;
    const approval = quoted.local
      ? authorizationUri("quote", quoted.account.uri, quote.id)
      : acceptance.approvalUri;
    const change = {
      state: "accepted" as const,
      quoted_status_id: quoted.id,
      quoted_account_id: quoted.account_id,
      approval_uri: approval,
    };
    await updateQuote(tx, statusId, change);
    if (quote.state === "accepted") return false;
    await count(tx, { ...quote, ...change }, 1);
    await app.jobs.add(tx, "quote.accepted", { statusId });
    return true;
  });

/** Rejects a pending quote, or revokes an accepted one; returns false when it had ended already. */
export const endQuoteWithin = async (
  app: App,
  tx: Tx,
  statusId: string,
  as: "rejected" | "revoked",
): Promise<boolean> => {
  const quote = await lockQuote(tx, statusId);
  if (!quote || quote.state === "revoked" || quote.state === as) return false;
  const wasAccepted = quote.state === "accepted";
  const { quoted_status_id, quoted_account_id, approval_uri: approvalUri } = quote;
  const state = wasAccepted ? "revoked" : as;
  const change = { state, quoted_status_id, quoted_account_id, approval_uri: null } as const;
  await updateQuote(tx, statusId, change);
  if (wasAccepted) await count(tx, quote, -1);
  const ended = { statusId, approvalUri, quotedAccountId: quoted_account_id };
  await app.jobs.add(tx, "quote.ended", ended);
  return true;
};

export const endQuote = (app: App, statusId: string, as: "rejected" | "revoked") =>
  app.sql.begin((tx) => endQuoteWithin(app, tx, statusId, as));

/** Deletes the quote: the status quotes nothing any more, or something else that has yet to be checked. */
export const dropQuote = async (tx: Tx, statusId: string): Promise<void> => {
  const quote = await lockQuote(tx, statusId);
  if (!quote) return;
  if (quote.state === "accepted") await count(tx, quote, -1);
  await deleteQuote(tx, statusId);
};

/**
 * Lets the quoted author take the quote back, also out of a post that is hidden from them. Returns the quoting post.
 */
export const revokeQuote = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  quotingId: string,
): Promise<SeenStatus> => {
  const own = await ownTarget(app, viewer, id);
  const quote = await selectQuote(app.sql, quotingId);
  const [quoting] = await loadStatuses(app, [quotingId], viewer);
  if (!quoting || quote?.quoted_status_id !== own.id) throw new NotFound();
  await endQuote(app, quotingId, "revoked");
  return afterAct(app, viewer, quoting);
};
