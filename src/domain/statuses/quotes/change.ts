// Changes of a remote status: it may quote something else, nothing any more, or have got (or lost)
// its authorization. And who may quote a status, changed.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import type { StatusView } from "../tables.ts";
import { addQuotes } from "./add.ts";
import { dropQuote, endQuote } from "./approval.ts";
import "./events.ts";
import type { ParsedQuote } from "./parse.ts";
import { policyBits } from "./policy.ts";
import type { QuotePolicy } from "./policy.ts";
import { updateInteractions, updatePolicy, updateQuote } from "./queries.ts";

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

const recheck = (app: App, view: StatusView, approvalUri: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    const { state, quoted_status_id, quoted_account_id } = view.quote!;
    const change = { state, quoted_status_id, quoted_account_id, approval_uri: approvalUri };
    await updateQuote(tx, view.id, change);
    await app.jobs.add(tx, "quote.told", { statusId: view.id, depth: 0 });
  });

/** `isLocalUri`: the quoted status is local: then only its author revokes the approval. */
export const updateRemoteQuote = async (
  app: App,
  view: StatusView,
  parsed: ParsedQuote | null,
  isLocalUri: (uri: string) => boolean,
): Promise<void> => {
  const { quote } = view;
  if (!quote && !parsed) return;
  // A server that knows that the quote has ended leaves it out; the state stays.
  if (!parsed && (quote?.state === "revoked" || quote?.state === "rejected")) return;
  if (!quote || quote.quoted_uri !== parsed?.uri) return replace(app, view, parsed);
  const { approvalUri } = parsed;
  if (quote.state === "accepted") {
    const isLost = quote.approval_uri !== null && approvalUri === null;
    if (isLost && !isLocalUri(quote.quoted_uri)) await endQuote(app, view.id, "revoked");
  } else if (approvalUri !== null && quote.state === "pending") {
    await recheck(app, view, approvalUri);
  }
};

/** Who may quote, answer, favourite and boost a remote status, as its server says now. */
export const updateRemotePolicy = async (
  app: App,
  view: StatusView,
  { quotePolicy, interactionPolicy }: { quotePolicy: number; interactionPolicy: number },
): Promise<void> => {
  if (quotePolicy !== view.quote_policy) await updatePolicy(app.sql, view.id, quotePolicy);
  if (interactionPolicy !== view.interaction_policy) {
    await updateInteractions(app.sql, view.id, interactionPolicy);
  }
};

/**
 * Sets who may quote a local status; one that not everybody may see is quoted by its author alone.
 */
export const setQuotePolicy = async (
  app: App,
  tx: Tx,
  view: StatusView,
  policy: QuotePolicy,
): Promise<void> => {
  if (!(await updatePolicy(tx, view.id, policyBits(policy, view)))) return;
  await app.jobs.add(tx, "quote.policy_changed", { statusId: view.id });
};
