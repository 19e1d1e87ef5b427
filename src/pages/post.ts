// A post as it stands on a page: alone, in a list, in a thread.

import type { App } from "../platform/app.ts";
import { fileUrl } from "../platform/storage/index.ts";
import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import { mediaUrl, previewUrl } from "../domain/media/present.ts";
import { cardAuthor } from "../domain/cards/present.ts";
import type { MediaView } from "../domain/media/tables.ts";
import { isSensitive } from "../domain/statuses/rules.ts";
import { shownLink } from "../domain/statuses/links.ts";
import type { CountedReaction, SeenStatus } from "../domain/statuses/tables.ts";
import {
  avatarUrl,
  counted,
  handle,
  moment,
  richText,
  shorten,
  shownName,
  webUrl,
  withEmojis,
} from "./parts.ts";
import { pollBlock } from "./poll.ts";

type Site = App["config"]["site"];

/** Where the post is to be read: here for ours, at home for others'. */
export const postUrl = (view: SeenStatus): string => webUrl(view.url) ?? webUrl(view.uri) ?? "#";

const personUrl = (view: SeenStatus): string => webUrl(view.account.url) ?? "#";

/** Of its preview: the page keeps its shape while pictures load. */
const sizeOf = ({ meta }: MediaView, which: "original" | "small" = "original"): HtmlValue => {
  const { width, height } = (meta[which] ?? {}) as { width?: unknown; height?: unknown };
  return Number.isInteger(width) && Number.isInteger(height)
    ? html`width="${String(width)}" height="${String(height)}"`
    : null;
};

/** The classes that keep this point of a picture in sight where it is cut; null: its middle. */
const focusOf = ({ meta }: MediaView): HtmlValue => {
  const { x, y } = (meta["focus"] ?? {}) as { x?: unknown; y?: unknown };
  if (typeof x !== "number" || typeof y !== "number") return null;
  const tenth = (value: number) => Math.round(Math.min(1, Math.max(0, (value + 1) / 2)) * 10);
  return html`class="focus-x${String(tenth(x))} focus-y${String(tenth(-y))}"`;
};

const KINDS: Record<MediaView["type"], string> = {
  image: "Picture",
  gifv: "Moving picture",
  video: "Video",
  audio: "Recording",
  unknown: "Attached file",
};

const mediaItem = (site: Site, media: MediaView): Html | null => {
  const url = webUrl(mediaUrl(media, site));
  if (!url) return null;
  // Without a description, its kind is what a link or player to it can be called.
  const text = media.description || KINDS[media.type];
  const preview = webUrl(previewUrl(media, site));
  if (media.type === "image") {
    return html`<a href="${url}"
      ><img src="${preview ?? url}" alt="${text}" ${sizeOf(media)} ${focusOf(media)} loading="lazy"
    /></a>`;
  }
  if (media.type === "video" || media.type === "gifv") {
    const poster = preview && preview !== url && html`poster="${preview}"`;
    return html`<video
      src="${url}"
      ${poster}
      ${sizeOf(media)}
      controls
      ${media.type === "gifv" && html`loop muted`}
      preload="none"
      aria-label="${text}"
    ></video>`;
  }
  if (media.type === "audio") {
    const cover =
      preview && html`<img src="${preview}" alt="" ${sizeOf(media, "small")} loading="lazy" />`;
    return html`<div class="sound">
      ${cover}
      <audio src="${url}" controls preload="none" aria-label="${text}"></audio>
    </div>`;
  }
  return html`<a href="${url}" rel="nofollow noopener noreferrer">${text}</a>`;
};

const mediaBlock = (site: Site, view: SeenStatus): HtmlValue => {
  const items = view.media.map((one) => mediaItem(site, one)).filter((item) => item !== null);
  if (items.length === 0) return null;
  const block = html`<div class="${items.length > 1 ? "media gallery" : "media"}">${items}</div>`;
  // A warning above hides the pictures with the text.
  if (!isSensitive(view) || view.spoiler_text) return block;
  return html`<details class="warning">
    <summary>Sensitive media</summary>
    ${block}
  </details>`;
};

/** A link like any other: what a page would embed stays there. */
const cardBlock = (app: App, view: SeenStatus): HtmlValue => {
  const { site } = app.config;
  const url = view.card && shownLink(view, site);
  if (!view.card || !url) return null;
  const { title, description, provider_name, author_name, language } = view.card;
  const author = cardAuthor(view.card);
  const source = provider_name || new URL(url).host;
  const { image_key: key, image_description: alt, width, height } = view.card;
  const picture =
    key !== null &&
    !view.sensitive &&
    html`<img
      src="${fileUrl(site, key)}"
      alt="${alt}"
      width="${width}"
      height="${height}"
      loading="lazy"
    />`;
  const names = [source, author ? handle(site, author) : author_name].filter(Boolean);
  return html`<a
    class="card-link"
    href="${url}"
    rel="nofollow noopener noreferrer"
    lang="${language ?? ""}"
  >
    ${picture}
    <span class="card-source">${names.join(" · ")}</span>
    <strong>${title}</strong>
    ${description && html`<span class="card-text">${shorten(description, 200)}</span>`}
  </a>`;
};

const body = (app: App, view: SeenStatus): Html => {
  const text = html`<div class="text" lang="${view.language ?? ""}">
      ${richText(view.content, view.emojis)}
    </div>
    ${view.poll && pollBlock(view.poll, view.emojis)} ${mediaBlock(app.config.site, view)}
    ${cardBlock(app, view)}`;
  if (!view.spoiler_text) return text;
  return html`<details class="warning">
    <summary>${withEmojis(view.spoiler_text, view.emojis)}</summary>
    ${text}
  </details>`;
};

const head = (app: App, view: SeenStatus): Html => {
  const { site } = app.config;
  return html`<header class="post-head">
    <a href="${personUrl(view)}" tabindex="-1" aria-hidden="true"
      ><img class="avatar" src="${avatarUrl(site, view.account)}" alt="" loading="lazy"
    /></a>
    <div class="post-names">
      <a href="${personUrl(view)}"
        ><strong>${withEmojis(shownName(view.account), view.account.emojis)}</strong
        ><span class="handle">${handle(site, view.account)}</span></a
      >
    </div>
    <a class="post-time" href="${postUrl(view)}">${moment(view.created_at)}</a>
  </header>`;
};

const footer = (view: SeenStatus): Html =>
  html`<p class="counts">
    <span>${counted(view.replies_count, "reply", "replies")}</span>
    <span>${counted(view.reblogs_count, "boost", "boosts")}</span>
    <span>${counted(view.favourites_count, "favourite", "favourites")}</span>
    ${view.edited_at && html`<span>edited ${moment(view.edited_at)}</span>`}
  </p>`;

const reactionItem = ({ name, count, emoji }: CountedReaction): Html =>
  html`<li>${withEmojis(name, emoji ? [emoji] : [])} ${String(count)}</li>`;

const reactionLine = (reactions: CountedReaction[]): HtmlValue =>
  reactions.length > 0 &&
  html`<ul class="reactions" aria-label="Reactions">
    ${reactions.map(reactionItem)}
  </ul>`;

export type PostOptions = {
  /** The post that the page is about. */
  main?: boolean;
  /** Shown first because its author pinned it. */
  pinned?: boolean;
};

const lineAbove = (view: SeenStatus, pinned: boolean): HtmlValue => {
  if (pinned) return html`<p class="line-above">Pinned</p>`;
  if (!view.reblog) return null;
  return html`<p class="line-above">
    <a href="${personUrl(view)}">${withEmojis(shownName(view.account), view.account.emojis)}</a>
    boosted
  </p>`;
};

/** An <article>; a boost shows the boosted post under a line that says who boosted it. */
export const post = (
  app: App,
  view: SeenStatus,
  { main = false, pinned = false }: PostOptions = {},
): Html => {
  const shown = view.reblog ?? view;
  return html`<article class="${main ? "post main" : "post"}" id="post-${view.id}">
    ${lineAbove(view, pinned)} ${head(app, shown)} ${body(app, shown)} ${footer(shown)}
    ${main && reactionLine(shown.reactions)}
  </article>`;
};

/** Posts one under the other, pinned ones first. */
export const feed = (
  app: App,
  views: SeenStatus[],
  empty: string,
  pinned: SeenStatus[] = [],
): Html =>
  views.length + pinned.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<div class="feed">
        ${pinned.map((view) => post(app, view, { pinned: true }))}
        ${views.map((view) => post(app, view))}
      </div>`;
