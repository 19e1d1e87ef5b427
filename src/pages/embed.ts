// The oEmbed document that leads to a single post for frames on other websites (web/src/pages/embed.tsx).
// https://oembed.com/, https://docs.joinmastodon.org/methods/oembed/

import type { App } from "../platform/app.ts";
import { pathId } from "../platform/http/incoming.ts";
import { NotFound } from "../platform/errors.ts";
import { escapeHtml } from "../platform/text/html.ts";
import { NOBODY } from "../platform/viewer.ts";
import { instanceDetails } from "../domain/about/instance/details.ts";
import { getVisible } from "../domain/posts/statuses/load.ts";
import type { SeenStatus } from "../domain/posts/statuses/tables.ts";
import { handle, postUrl, shownName } from "./components.ts";

/** Whether anybody may embed the post: one of ours that is visible without signing in, and no boost. */
const embeddable = (view: SeenStatus): boolean => view.local && view.reblog_of_id === null;

/** Returns the post at an address of ours; throws NotFound for any other. */
const statusOf = async (app: App, url: string): Promise<SeenStatus> => {
  const parsed = url.length <= 2048 ? URL.parse(url) : null;
  const match =
    parsed?.origin === app.config.site.origin
      ? /^\/(?:@[^/]+|users\/[^/]+\/statuses)\/(\d{1,19})\/?$/.exec(parsed.pathname)
      : null;
  const id = pathId(match?.[1]);
  const view = await getVisible(app, id, NOBODY);
  if (!embeddable(view) || ![view.url, view.uri].includes(url.replace(/[/?#]+$/, ""))) {
    throw new NotFound();
  }
  return view;
};

const DEFAULT_WIDTH = 400;
/** Pixels of the frame's height if none is requested: as much as a post of a paragraph or two takes. */
const FRAME_HEIGHT = 400;
const CACHE_SECONDS = 86_400;

/** Returns the frame on one line, because people paste it into their pages. */
const frame = (url: string, width: number, height: number | null): string => {
  const size = `width="${width}" height="${height ?? FRAME_HEIGHT}"`;
  const style = 'style="max-width: 100%; border: 0"';
  return `<iframe src="${escapeHtml(url)}/embed" ${size} ${style} allowfullscreen="allowfullscreen"></iframe>`;
};

type OEmbedQuery = { url: string; maxWidth: number | null; maxHeight: number | null };

/** Returns the OEmbed entity of a post's address. */
export const oEmbed = async (app: App, { url, maxWidth, maxHeight }: OEmbedQuery) => {
  const { site } = app.config;
  const [view, details] = await Promise.all([statusOf(app, url), instanceDetails(app)]);
  const width = maxWidth ?? DEFAULT_WIDTH;
  return {
    type: "rich",
    version: "1.0",
    title: `Post by ${shownName(view.account)} (${handle(site, view.account)})`,
    author_name: shownName(view.account),
    author_url: view.account.url,
    provider_name: details.title,
    provider_url: `${site.origin}/`,
    cache_age: CACHE_SECONDS,
    html: frame(postUrl(view), width, maxHeight),
    width,
    height: maxHeight,
  };
};
