// Decides whether a remote status may show what it quotes. That is verified with the quoted author's server, never
// believed from the quoting one (FEP-044f; docs/design/approvals.md).

import type { App } from "../platform/app.ts";
import { asActor } from "../platform/viewer.ts";
import { loadVisible } from "../domain/posts/statuses/load.ts";
import { acceptQuote, findQuote } from "../domain/posts/statuses/approve.ts";
import type { QuoteCheck } from "../domain/posts/statuses/events.ts";
import type { FullQuote } from "../domain/posts/statuses/approve.ts";
import { quoteRight } from "../domain/posts/statuses/rules.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { openToFollowers } from "../domain/posts/statuses/visibility.ts";
import { isAuthorized } from "./authorizations.ts";
import { statusByUri } from "./notes.ts";
import { selectStatusId } from "./queries.ts";

/** Depth of quotes that are fetched: the quoted status, and the one that it quotes; deeper ones are only looked up. */
const MAX_DEPTH = 2;

const quotedId = (app: App, { quoted_uri: uri }: FullQuote, depth: number) =>
  depth < MAX_DEPTH
    ? statusByUri(app, uri, { quoteDepth: depth + 1 })
    : selectStatusId(app.sql, uri);

/** Whether the authorization is the quoted author's, and names these two posts. */
const isApproved = (app: App, quote: FullQuote, quoted: StatusView): Promise<boolean> =>
  isAuthorized(app, {
    kind: "quote",
    uri: quote.approval_uri,
    target: { uri: quoted.uri, authorUri: quoted.account.uri },
    interactingUri: quote.status_uri,
  });

const isNamed = (quoted: StatusView, accountId: string): boolean =>
  quoted.mentions.some((mention) => mention.id === accountId && !mention.silent);

/**
 * Whether a quote needs no approval: quotes of the author's own post or one that mentions them, and legacy quotes
 * (without an authorization) of posts that everybody may quote.
 */
const needsNoApproval = (quote: FullQuote, quoted: StatusView): boolean =>
  openToFollowers(quoted) &&
  (quoted.account_id === quote.account_id ||
    isNamed(quoted, quote.account_id) ||
    (quote.legacy && quoteRight(quoted) === "automatic"));

/**
 * The handler of `quote.check`: a status that quotes was stored. What cannot be verified stays pending and
 * is not shown. Throws RemoteFault (503) when a server does not answer.
 */
export const checkQuote = async (app: App, { statusId, depth }: QuoteCheck): Promise<void> => {
  const quote = await findQuote(app.sql, statusId);
  if (!quote || quote.local || quote.state !== "pending") return;
  const id = await quotedId(app, quote, depth);
  const [quoted] = id === null ? [] : await loadVisible(app, [id], asActor(quote.account_id));
  if (!quoted || quoted.reblog) return;
  const isFree = needsNoApproval(quote, quoted);
  if (!isFree && !(await isApproved(app, quote, quoted))) return;
  await acceptQuote(app, { statusId, quoted, approvalUri: isFree ? null : quote.approval_uri });
};
