// Accepting, rejecting and revoking a quote: each in one transaction with the count and the job
// that publishes it.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { addStatusCounts } from "../queries-write.ts";
import { authorizationUri } from "../../approvals/requests.ts";
import type { StatusView } from "../tables.ts";
import "./events.ts";
import { deleteQuote, lockQuote, updateQuote } from "./queries.ts";
import type { FullQuote } from "./queries.ts";

const count = async (tx: Tx, quote: FullQuote, by: 1 | -1): Promise<void> => {
  if (quote.quoted_status_id)
    await addStatusCounts(tx, [{ id: quote.quoted_status_id, quotes: by }]);
};

type Acceptance = {
  statusId: string;
  quoted: StatusView;
  /** Of a remote author's authorization; null: none is needed, or the author is local. */
  approvalUri: string | null;
};

/** The quote is shown from now on. False when it was already, or was revoked, which is final. */
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

/** Rejects a pending quote, or revokes an accepted one. False when it had ended already. */
export const endQuote = (
  app: App,
  statusId: string,
  as: "rejected" | "revoked",
): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const quote = await lockQuote(tx, statusId);
    if (!quote || quote.state === "revoked" || quote.state === as) return false;
    const wasAccepted = quote.state === "accepted";
    const { quoted_status_id, quoted_account_id } = quote;
    const state = wasAccepted ? "revoked" : as;
    await updateQuote(tx, statusId, {
      state,
      quoted_status_id,
      quoted_account_id,
      approval_uri: null,
    });
    if (wasAccepted) await count(tx, quote, -1);
    await app.jobs.add(tx, "quote.ended", {
      statusId,
      approvalUri: quote.approval_uri,
      quotedAccountId: quoted_account_id,
    });
    return true;
  });

/** The status quotes nothing any more, or something else that is yet to be checked. */
export const dropQuote = async (tx: Tx, statusId: string): Promise<void> => {
  const quote = await lockQuote(tx, statusId);
  if (!quote) return;
  if (quote.state === "accepted") await count(tx, quote, -1);
  await deleteQuote(tx, statusId);
};
