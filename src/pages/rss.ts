// RSS feeds: a person's posts and the posts with a hashtag. https://www.rssboard.org/rss-specification

import type { App } from "../platform/app.ts";
import { escapeHtml, html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import { displayTag, normaliseTag } from "../platform/text/tags.ts";
import { NOBODY } from "../platform/viewer.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { mediaUrl } from "../domain/base/media/present.ts";
import type { MediaView } from "../domain/base/media/tables.ts";
import { loadVisible } from "../domain/posts/statuses/load.ts";
import { shownContent } from "../domain/posts/statuses/present.ts";
import { isSensitive } from "../domain/posts/statuses/rules.ts";
import type { SeenStatus } from "../domain/posts/statuses/tables.ts";
import { tagUrl } from "../domain/posts/tags/present.ts";
import { avatarUrl, handle, postUrl, shownName } from "./components.ts";
import { selectByAccount, selectByTag } from "./queries.ts";

const SHOWN = 20;

type Channel = {
  title: string;
  description: string;
  link: string;
  image: string | null;
  posts: SeenStatus[];
};

const MEDIUM: Partial<Record<MediaView["type"], string>> = {
  image: "image",
  gifv: "video",
  video: "video",
  audio: "audio",
};

/**
 * Draws an enclosure. The length is required: 0 where it is not known
 * (https://www.rssboard.org/rss-profile#element-channel-item-enclosure). Players take the first of several enclosures.
 */
const enclosure = (app: App, view: SeenStatus, media: MediaView): HtmlValue => {
  const url = mediaUrl(media, app.config.site);
  const medium = MEDIUM[media.type];
  if (!url || !medium || !media.media_type) return null;
  const length = String(media.file_size ?? 0);
  return html`<enclosure url="${url}" type="${media.media_type}" length="${length}" />
    <media:content url="${url}" type="${media.media_type}" medium="${medium}">
      <media:rating scheme="urn:simple">${isSensitive(view) ? "adult" : "nonadult"}</media:rating>
      ${media.description && html`<media:description type="plain">${media.description}</media:description>`}
    </media:content>`;
};

/**
 * Returns the post's HTML, which is escaped in a feed and shown by readers as a page. Of a post with a content warning
 * only the warning is shown.
 */
const textOf = (view: SeenStatus): string =>
  view.spoiler_text
    ? `<p>${escapeHtml(view.spoiler_text)}</p><p><a href="${escapeHtml(postUrl(view))}">Show the post</a></p>`
    : shownContent(view);

const item = (app: App, view: SeenStatus): Html =>
  html`
    <item>
      <guid isPermaLink="true">${postUrl(view)}</guid>
      <link>${postUrl(view)}</link>
      <pubDate>${view.created_at.toUTCString()}</pubDate>
      <dc:creator>${handle(app.config.site, view.account)}</dc:creator>
      <description>${textOf(view)}</description>
      ${view.spoiler_text ? null : view.media.map((media) => enclosure(app, view, media))}
      ${view.tags.map((tag) => html`<category>${tag.name}</category>`)}
    </item>`;

/** Characters that XML 1.0 cannot contain. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

export type Feed = { document: string; changedAt: Date | undefined };

const feed = (app: App, { title, description, link, image, posts }: Channel): Feed => {
  const times = posts.map(({ created_at: at, edited_at: edited }) => edited ?? at);
  const changedAt = times.toSorted((a, b) => Number(b) - Number(a))[0];
  const rss = html`<rss version="2.0"
    xmlns:atom="http://www.w3.org/2005/Atom"
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>${title}</title>
    <description>${description}</description>
    <link>${link}</link>
    <atom:link href="${link}.rss" rel="self" type="application/rss+xml" />
    ${image && html`<image><url>${image}</url><title>${title}</title><link>${link}</link></image>`}
    ${changedAt && html`<lastBuildDate>${changedAt.toUTCString()}</lastBuildDate>`}
    <generator>Rookery</generator>${posts.map((view) => item(app, view))}
  </channel>
</rss>`;
  const text = rss.toString().replaceAll(FORBIDDEN, "");
  return { document: `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, changedAt };
};

/** `view` is a local account that is not suspended. The feed has no replies and boosts. */
export const personFeed = async (app: App, view: AccountView): Promise<Feed> => {
  const { site } = app.config;
  const ids = await selectByAccount(app.sql, view.id, SHOWN);
  const posts = await loadVisible(app, ids, NOBODY);
  return feed(app, {
    title: shownName(view),
    description: `Public posts of ${handle(site, view)}`,
    link: view.url,
    image: avatarUrl(site, view),
    posts: posts.filter(({ reblog_of_id }) => reblog_of_id === null),
  });
};

/** `typed` is known to be a valid name of a hashtag. */
export const tagFeed = async (app: App, typed: string): Promise<Feed> => {
  const [name, key] = [displayTag(typed), normaliseTag(typed)];
  const { site } = app.config;
  const ids = await selectByTag(app.sql, key, SHOWN);
  return feed(app, {
    title: `#${name}`,
    description: `Public posts with the hashtag #${name}, as seen from ${site.localDomain}`,
    link: tagUrl(site, key),
    image: null,
    posts: await loadVisible(app, ids, NOBODY),
  });
};
