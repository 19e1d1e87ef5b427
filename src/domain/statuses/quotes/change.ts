// A status elsewhere that is parsed anew: it may quote something else, nothing any more, or have got
// (or lost) its author's consent. And who may quote a status of ours, changed.

import type { App } from "../../../platform/app.ts";
import type { StatusView } from "../tables.ts";
import { addQuotes } from "./add.ts";
import { dropQuote, endQuote } from "./approval.ts";
import "./events.ts";
import type { ParsedQuote } from "./parse.ts";
import { policyBits } from "./policy.ts";
import type { QuotePolicy } from "./policy.ts";
import { updatePolicy, updateQuote } from "./queries.ts";

const replace = (app: App, view: StatusView, parsed: ParsedQuote | null): Promise<void> =>
  app.sql.begin(async (tx) => {
    await dropQuote(tx, view.id);
    if (!parsed) return;
    const { uri: quotedUri, legacy, approvalUri } = parsed;
    const none = { quotedStatusId: null, quotedAccountId: null, accepted: false, depth: 0 };
    const quote = { ...none, quotedUri, legacy, approvalUri };
    await addQuotes(app, tx, [
      { statusId: view.id, accountId: view.account_id, local: false, quote },
    ]);
  });

const approve = (app: App, view: StatusView, approvalUri: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    const { state, quoted_status_id, quoted_account_id } = view.quote!;
    const change = { state, quoted_status_id, quoted_account_id, approval_uri: approvalUri };
    await updateQuote(tx, view.id, change);
    await app.jobs.add(tx, "quote.told", { statusId: view.id, depth: 0 });
  });

/** `isLocalUri`: the author of what is quoted is one of ours, whose consent only they take back. */
export const updateRemoteQuote = async (
  app: App,
  view: StatusView,
  parsed: ParsedQuote | null,
  isLocalUri: (uri: string) => boolean,
): Promise<void> => {
  const { quote } = view;
  if (!quote && !parsed) return;
  // A server that has heard of it tells nothing of the quote any more; that it ended is still so.
  if (!parsed && (quote?.state === "revoked" || quote?.state === "rejected")) return;
  if (!quote || quote.quoted_uri !== parsed?.uri) return replace(app, view, parsed);
  const { approvalUri } = parsed;
  if (quote.state === "accepted") {
    const isLost = quote.approval_uri !== null && approvalUri === null;
    if (isLost && !isLocalUri(quote.quoted_uri)) await endQuote(app, view.id, "revoked");
  } else if (approvalUri !== null && quote.state === "pending") {
    await approve(app, view, approvalUri);
  }
};

/** Who may quote a status elsewhere, as its origin says now. */
export const updateRemotePolicy = async (
  app: App,
  view: StatusView,
  policy: number,
): Promise<void> => {
  if (policy !== view.quote_policy) await updatePolicy(app.sql, view.id, policy);
};

/** Who may quote it: posts that not everybody may see stay their author's alone. */
export const setQuotePolicy = (app: App, view: StatusView, policy: QuotePolicy): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await updatePolicy(tx, view.id, policyBits(policy, view)))) return;
    await app.jobs.add(tx, "quote.policy_changed", { statusId: view.id });
  });
