// Small pieces that several public pages share: names, times, links to people.

import { avatarOf, headerOf } from "../domain/accounts/pictures.ts";
import type { App } from "../platform/app.ts";
import { escapeHtml, html, raw } from "../platform/text/html.ts";
import type { Html } from "../platform/text/html.ts";
import { acct } from "../domain/accounts/present.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import type { EmojiRow } from "../domain/emojis/tables.ts";

type Site = App["config"]["site"];

/** `@alice@here.example`, whole for everybody: a handle has to work wherever it is pasted. */
export const handle = (site: Site, view: { username: string; domain: string | null }): string =>
  `@${view.username}@${view.domain ?? site.localDomain}`;

export const shownName = (view: AccountView): string =>
  (view.suspended_at === null && view.display_name.trim()) || acct(view);

/** Only addresses that a browser may follow; anything else leads nowhere. */
export const webUrl = (url: string | null | undefined): string | null =>
  url && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;

export const avatarUrl = (site: Site, view: AccountView): string =>
  (view.suspended_at === null && webUrl(avatarOf(view, site))) ||
  `${site.origin}/avatars/missing.png`;

export const headerUrl = (site: Site, view: AccountView): string | null =>
  view.suspended_at === null ? webUrl(headerOf(view, site)) : null;

const SHORTCODE = /:([a-zA-Z0-9_]{2,128}):/g;

/** Puts pictures in place of shortcodes; `escaped` is text between tags, already escaped. */
const picture = (escaped: string, emojis: EmojiRow[]): string =>
  escaped.replace(SHORTCODE, (whole, name: string) => {
    const url = webUrl(emojis.find((emoji) => emoji.shortcode === name)?.url);
    if (!url) return whole;
    return String(html`<img class="emoji" src="${url}" alt="${whole}" title="${whole}" />`);
  });

/** Text (not HTML) with its custom emojis as pictures. */
export const withEmojis = (text: string, emojis: EmojiRow[]): Html =>
  raw(picture(escapeHtml(text), emojis));

/** HTML that was sanitised when it came in, with its custom emojis as pictures (never inside tags). */
export const richText = (content: string, emojis: EmojiRow[]): Html =>
  raw(
    content
      .split(/(<[^>]*>)/)
      .map((piece) => (piece.startsWith("<") ? piece : picture(piece, emojis)))
      .join(""),
  );

const MOMENT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

export const moment = (date: Date): Html =>
  html`<time datetime="${date.toISOString()}" title="${MOMENT.format(date)} UTC"
    >${MOMENT.format(date)}</time
  >`;

export const day = (date: Date): Html =>
  html`<time datetime="${date.toISOString().slice(0, 10)}">${DAY.format(date)}</time>`;

const NUMBER = new Intl.NumberFormat("en-GB");

/** `1 post`, `1,200 posts`. */
export const counted = (count: string | number, one: string, many: string): Html =>
  html`<strong>${NUMBER.format(Number(count))}</strong> ${Number(count) === 1 ? one : many}`;

/** The same as plain text. */
export const countedText = (count: string | number, one: string, many: string): string =>
  `${NUMBER.format(Number(count))} ${Number(count) === 1 ? one : many}`;

/** At most `length` characters, cut at a word where there is one near. */
export const shorten = (text: string, length: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= length) return line;
  return `${characters
    .slice(0, length - 1)
    .join("")
    .replace(/\s+\S{0,15}$/, "")}…`;
};
