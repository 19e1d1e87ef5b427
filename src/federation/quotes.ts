// Whether a status elsewhere may show what it quotes: found out from the quoted author's own server,
// never from the one that tells (FEP-044f; docs/decisions/0008-quotes.md).

import type { App } from "../platform/app.ts";
import { idOf, sameHost, typesOf } from "../platform/json/read.ts";
import { asActor } from "../platform/viewer.ts";
import { loadVisible } from "../domain/statuses/load.ts";
import { acceptQuote } from "../domain/statuses/quotes/answer.ts";
import type { QuoteTold } from "../domain/statuses/quotes/events.ts";
import { findQuote } from "../domain/statuses/quotes/load.ts";
import type { FullQuote } from "../domain/statuses/quotes/load.ts";
import { quoteRight } from "../domain/statuses/rules.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { openToFollowers } from "../domain/statuses/visibility.ts";
import { fetchDocument } from "./documents.ts";
import { nullUnlessTemporary } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import { statusByUri } from "./notes.ts";
import { selectStatusId } from "./queries.ts";

/** What is quoted, and what that quotes, is fetched; whatever lies deeper only if it is known. */
const MAX_DEPTH = 2;

const quotedId = (app: App, { quoted_uri: uri }: FullQuote, depth: number) =>
  depth < MAX_DEPTH ? statusByUri(app, uri, depth + 1) : selectStatusId(app.sql, uri);

/** The consent is the quoted author's own, and of these two posts. */
const isApproved = async (app: App, quote: FullQuote, quoted: StatusView): Promise<boolean> => {
  const { approval_uri: uri } = quote;
  // A consent of ours is given in answer to a request, and known then.
  if (!uri || isLocalUri(app, uri) || !sameHost(uri, quoted.account.uri)) return false;
  const fetched = await nullUnlessTemporary(fetchDocument(app, uri));
  if (!fetched || fetched.id !== uri) return false;
  const { document } = fetched;
  return (
    typesOf(document).includes("QuoteAuthorization") &&
    idOf(document["attributedTo"]) === quoted.account.uri &&
    idOf(document["interactingObject"]) === quote.status_uri &&
    idOf(document["interactionTarget"]) === quoted.uri
  );
};

const isNamed = (quoted: StatusView, accountId: string): boolean =>
  quoted.mentions.some((mention) => mention.id === accountId && !mention.silent);

/** Nobody has to be asked: one's own, or one that names the author; or all may, and it cannot ask. */
const needsNoApproval = (quote: FullQuote, quoted: StatusView): boolean =>
  openToFollowers(quoted) &&
  (quoted.account_id === quote.account_id ||
    isNamed(quoted, quote.account_id) ||
    (quote.legacy && quoteRight(quoted) === "automatic"));

/**
 * The job `quote.told`. What cannot be proved stays pending, and is shown to nobody. Throws
 * RemoteFault (503) when a server does not answer for now.
 */
export const checkQuote = async (app: App, { statusId, depth }: QuoteTold): Promise<void> => {
  const quote = await findQuote(app.sql, statusId);
  if (!quote || quote.local || quote.state !== "pending") return;
  const id = await quotedId(app, quote, depth);
  const [quoted] = id === null ? [] : await loadVisible(app, [id], asActor(quote.account_id));
  if (!quoted || quoted.reblog) return;
  const isFree = needsNoApproval(quote, quoted);
  if (!isFree && !(await isApproved(app, quote, quoted))) return;
  await acceptQuote(app, { statusId, quoted, approvalUri: isFree ? null : quote.approval_uri });
};
