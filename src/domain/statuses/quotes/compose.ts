// What a person wants to quote → the quote of their new status, if they may.
// https://docs.joinmastodon.org/client/quotes/

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/db/paging.ts";
import { Forbidden, NotFound, Unprocessable } from "../../../platform/errors.ts";
import { escapeHtml } from "../../../platform/text/html.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadVisible } from "../load.ts";
import { authorizationUri } from "../../approvals/requests.ts";
import { quoteRight } from "../rules.ts";
import type { StatusView, Visibility } from "../tables.ts";
import { openToEverybody } from "../visibility.ts";
import type { NewQuote } from "./add.ts";

/** 404 for what the viewer may not see, 403 for what they may not quote. */
export const findQuoted = async (app: App, id: string, viewerId: string): Promise<StatusView> => {
  const missing = new NotFound("The post you are trying to quote does not appear to exist.");
  const known = parseId(id);
  const [view] = known === null ? [] : await loadVisible(app, [known], asPerson(viewerId));
  if (!view) throw missing;
  const quoted = view.reblog ?? view;
  if (quoteRight(quoted) === "denied")
    throw new Forbidden("You are not allowed to quote this post");
  return quoted;
};

/** A quote of one's own followers-only post is for followers at most. */
export const quotingVisibility = (quoted: StatusView | null, wanted: Visibility): Visibility =>
  quoted && !openToEverybody(quoted) && wanted !== "direct" ? "private" : wanted;

/**
 * The request for approval contains the post: so a direct post must mention the author whom it
 * quotes.
 */
export const checkDirectQuote = (
  quoted: StatusView,
  authorId: string,
  mentionIds: string[],
): void => {
  if (quoted.account_id === authorId || mentionIds.includes(quoted.account_id)) return;
  throw new Unprocessable("Validation failed: A direct post can only quote people mentioned in it");
};

/**
 * A local status is quoted without a request: the rules have already applied its author's policy.
 */
export const newQuote = (quoted: StatusView): NewQuote => ({
  quotedUri: quoted.uri,
  quotedStatusId: quoted.id,
  quotedAccountId: quoted.account_id,
  accepted: quoted.local,
  legacy: false,
  approvalUri: null,
  approvalPrefix: quoted.local ? authorizationUri("quote", quoted.account.uri, "") : null,
  depth: 0,
});

type Addresses = { uri: string; url: string | null };

/** Puts a link before the text, for software without quotes; clients that know quotes hide it. */
export const withQuoteLine = (content: string, quoted: Addresses): string => {
  const url = quoted.url ?? quoted.uri;
  const isLinked = [url, quoted.uri].some((one) => content.includes(`href="${escapeHtml(one)}"`));
  if (isLinked) return content;
  const href = escapeHtml(url);
  return `<p class="quote-inline">RE: <a href="${href}" rel="nofollow noopener" target="_blank">${href}</a></p>${content}`;
};
