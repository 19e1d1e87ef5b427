// Turns the plain text of a local status, bio or profile field into the same HTML as Mastodon (recorded
// in test/golden/rest.json).
import { shownHost } from "./hosts.ts";
import { extractEntities, type TextEntity } from "./extract.ts";
import { escapeHtml } from "./html.ts";
import { authorityOf, HIDDEN_PREFIX } from "./protocols.ts";

/** The account of a typed handle: the URL of its page and its username as registered. */
export type FormatMention = { url: string; username: string };

export type FormatOptions = {
  /** Accounts by handle as typed, in lower case without the first @: "bob", "bob@host". */
  mentions: Map<string, FormatMention>;
  /** Returns the URL of a tag's page for the name as typed; non-ASCII characters are encoded afterwards. */
  tagUrl: (name: string) => string;
};

const VISIBLE_CHARACTERS = 30;
const LINK_REL = "nofollow noopener noreferrer";

/** Shortens a link to 30 characters, but never within the host, which must be visible. */
const splitLink = (url: string) => {
  const prefix = HIDDEN_PREFIX.exec(url)?.[0] ?? "";
  const rest = url.slice(prefix.length);
  const shown = [...rest].slice(0, VISIBLE_CHARACTERS).join("");
  const host = prefix.startsWith("xmpp") ? "" : authorityOf(rest);
  const visible = host.length > shown.length ? host : shown;
  return { prefix, visible, hidden: rest.slice(visible.length) };
};

const linkHtml = (url: string, rel: string): string => {
  const { prefix, visible, hidden } = splitLink(url);
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span>` +
    `<span class="${hidden === "" ? "" : "ellipsis"}">${escapeHtml(visible)}</span>` +
    `<span class="invisible">${escapeHtml(hidden)}</span></a>`
  );
};

export const mentionHtml = (account: FormatMention, shownName: string): string =>
  `<span class="h-card" translate="no"><a href="${escapeHtml(account.url)}" class="u-url mention">` +
  `@<span>${escapeHtml(shownName)}</span></a></span>`;

const hashtagHtml = (name: string, url: string): string => {
  const href = url.replace(/[^\0-\x7f]+/g, encodeURIComponent);
  return `<a href="${escapeHtml(href)}" class="mention hashtag" rel="tag">#<span>${escapeHtml(name)}</span></a>`;
};

/** Returns usernames that two different accounts in this text have; these are shown with their host. */
const ambiguousNames = (entities: TextEntity[], mentions: Map<string, FormatMention>) => {
  const urls = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const entity of entities) {
    const account = entity.type === "mention" ? mentions.get(entity.handle) : undefined;
    if (!account) continue;
    const name = account.username.toLowerCase();
    if ((urls.get(name) ?? account.url) !== account.url) ambiguous.add(name);
    urls.set(name, account.url);
  }
  return ambiguous;
};

/** Returns the HTML of each entity of a text; null for a mention of nobody, which stays text. */
export const entityHtml = (entities: TextEntity[], options: FormatOptions, rel = LINK_REL) => {
  const ambiguous = ambiguousNames(entities, options.mentions);
  return (entity: TextEntity): string | null => {
    if (entity.type === "url") return linkHtml(entity.url, rel);
    if (entity.type === "hashtag") return hashtagHtml(entity.name, options.tagUrl(entity.name));
    const account = options.mentions.get(entity.handle);
    if (!account) return null;
    const withHost = entity.domain !== null && ambiguous.has(account.username.toLowerCase());
    return mentionHtml(
      account,
      account.username + (withHost ? `@${shownHost(entity.domain ?? "")}` : ""),
    );
  };
};

/** Escapes the text and turns its entities into links; line breaks stay as they are. */
const linkify = (text: string, options: FormatOptions, rel: string): string => {
  const entities = extractEntities(text);
  const toHtml = entityHtml(entities, options, rel);
  let out = "";
  let at = 0;
  for (const entity of entities) {
    const typed = escapeHtml(text.slice(entity.start, entity.end));
    out += escapeHtml(text.slice(at, entity.start)) + (toHtml(entity) ?? typed);
    at = entity.end;
  }
  return out + escapeHtml(text.slice(at));
};

/** Removes what PostgreSQL cannot store: NUL, and half a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

const trimNewlines = (text: string): string => text.replace(/^\n+/, "").replace(/(?<!\n)\n+$/, "");

/**
 * Returns the HTML of a status or a bio. Blank lines separate paragraphs, single line breaks become `<br />`; handles
 * that are not in `mentions` stay text. A blank text returns "".
 */
export const formatText = (text: string, options: FormatOptions): string => {
  const lines = trimNewlines(storable(text).replace(/\r\n?/g, "\n"));
  if (lines.trim() === "") return "";
  const inner = linkify(lines, options, LINK_REL)
    .replace(/\n{2,}/g, "</p><p>")
    .replaceAll("\n", "<br />");
  return `<p>${inner}</p>`;
};

/** Returns the HTML of a profile field's value: one line, links also marked rel="me". */
export const formatField = (value: string, options: FormatOptions): string =>
  linkify(storable(value).trim(), options, `${LINK_REL} me`);
