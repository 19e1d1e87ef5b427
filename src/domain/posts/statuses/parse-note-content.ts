// Reads the text and the media of a remote object, in the shapes that different servers use.

import {
  httpUrl,
  idOf,
  isRecord,
  linkOf,
  listOf,
  numberOf,
  textOf,
  translated,
  typesOf,
} from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import { boundedHtml, bytesOf, cutBytes } from "../../../platform/text/cut.ts";
import { escapeHtml, plainToHtml } from "../../../platform/text/html.ts";
import { formatMarkdown, parseMarkdown } from "../../../platform/text/markdown.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { typeOfEnding } from "../../../platform/storage/index.ts";
import { plainText, sanitiseName } from "../../../platform/text/plain.ts";
import { PAGE_LINE, QUOTE_LINE, sanitiseHtml } from "../../../platform/text/sanitise.ts";
import { eventHead } from "../events/lines.ts";
import { eventLines, parseEvent } from "../events/parse-event.ts";
import type { NewRemoteMedia } from "../../base/media/tables.ts";
import { VIDEO_LINK } from "./links.ts";
import { lengthOf, starsOf } from "./marks-of-works.ts";

const MAX_PIXELS = 100_000;
const BLURHASH = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,128}$/;

const BY_TYPE = new Map<string, NewRemoteMedia["type"]>([
  ["Image", "image"],
  ["Video", "video"],
  ["Audio", "audio"],
]);

/** Endings that this server does not store, but shows of other servers. */
const MORE_ENDINGS: Record<string, string> = {
  heic: "image/heic",
  heif: "image/heif",
  jfif: "image/jpeg",
  apng: "image/png",
  mov: "video/quicktime",
  ogv: "video/ogg",
  mkv: "video/x-matroska",
  aac: "audio/aac",
};

const typeByEnding = (url: string): string | null => {
  const ending = /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? "";
  const type = MORE_ENDINGS[ending] ?? typeOfEnding(ending);
  return type && /^(?:image|video|audio)\//.test(type) ? type : null;
};

/** Types that servers state when they do not know the type. */
const SAYS_NOTHING = new Set(["application/octet-stream", "binary/octet-stream"]);

/**
 * Returns the type without its parameters (`audio/ogg; codecs=opus`), or that of the file's ending where none is
 * stated.
 */
const mediaTypeOf = (item: Json, url: string): string | null => {
  const own = textOf(item["mediaType"]);
  const [first] = listOf(item["url"], 1);
  const written = own ?? (isRecord(first) ? textOf(first["mediaType"]) : null) ?? "";
  const [bare = ""] = written.split(";", 1);
  const type = bare.trim().toLowerCase();
  const isType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type);
  if (isType && !SAYS_NOTHING.has(type)) return type;
  return typeByEnding(url) ?? (isType ? type : null);
};

const kindOf = (item: Json, mediaType: string | null): NewRemoteMedia["type"] => {
  const group = mediaType?.split("/", 1)[0];
  if (group === "image" || group === "video" || group === "audio") return group;
  const typed = typesOf(item).map((type) => BY_TYPE.get(type));
  return typed.find((type) => type !== undefined) ?? "unknown";
};

const sizeOf = (item: Json): Record<string, unknown> => {
  const [width, height] = [item["width"], item["height"]];
  const sound = (n: unknown): n is number =>
    Number.isInteger(n) && Number(n) > 0 && Number(n) <= MAX_PIXELS;
  if (!sound(width) || !sound(height)) return {};
  return { original: { width, height, size: `${width}x${height}`, aspect: width / height } };
};

const focusOf = (item: Json): Record<string, unknown> => {
  const point = listOf(item["focalPoint"], 2);
  const within = point.filter((n) => typeof n === "number" && Math.abs(n) <= 1);
  return within.length === 2 ? { focus: { x: within[0], y: within[1] } } : {};
};

const descriptionOf = (text: string): string =>
  text.trim().slice(0, STATUS_LIMITS.descriptionLength).toWellFormed();

const mediaOf = (item: unknown): NewRemoteMedia[] => {
  if (!isRecord(item)) return [];
  const url = linkOf(item["url"] ?? item["href"], "");
  // Lemmy puts the link of a post here, which is no media.
  if (!url || typesOf(item).includes("Link")) return [];
  const mediaType = mediaTypeOf(item, url);
  const description = descriptionOf(textOf(item["summary"]) ?? textOf(item["name"]) ?? "");
  const blurhash = textOf(item["blurhash"]);
  return [
    {
      type: kindOf(item, mediaType),
      media_type: mediaType,
      url,
      description: description === "" ? null : description,
      blurhash: blurhash && BLURHASH.test(blurhash) ? blurhash : null,
      meta: { ...sizeOf(item), ...focusOf(item) },
    },
  ];
};

/** Counts each address three times: for the file, its preview and the original. */
const SHOWN = 3;

/** Cuts descriptions that take too much together, and leaves the last ones out. */
const withinLimits = (all: NewRemoteMedia[]): NewRemoteMedia[] => {
  const media = all.slice(0, STATUS_LIMITS.attachments);
  let left = STATUS_LIMITS.attachmentsBytes;
  const kept: NewRemoteMedia[] = [];
  for (const attachment of media) {
    left -= SHOWN * bytesOf(attachment.url);
    if (left < 0) break;
    const description = cutBytes(attachment.description ?? "", left);
    left -= bytesOf(description);
    kept.push({ ...attachment, description: description === "" ? null : description });
  }
  return kept;
};

const MAX_READ = 100;
const MAX_LINKS = 5;

const attachedLinks = (note: Json): string[] =>
  listOf(note["attachment"], MAX_READ).flatMap((item) =>
    typesOf(item).includes("Link") && isRecord(item) ? (httpUrl(item["href"]) ?? []) : [],
  );

/** Returns the picture of an object: the widest of its `image`, or of its `icon` (PeerTube sends several sizes). */
const pictureOf = (note: Json): Json | null => {
  const pictures = listOf(note["image"] ?? note["icon"], MAX_READ).map((picture) =>
    isRecord(picture) ? picture : { url: picture },
  );
  const widthOf = ({ width }: Json): number => numberOf(width) || 0;
  return pictures.toSorted((a, b) => widthOf(b) - widthOf(a))[0] ?? null;
};

const addressOf = (picture: Json | null): string | null =>
  picture && linkOf(picture["url"] ?? picture["href"], "image");

/**
 * Returns the pages that an object is about: those that it attaches (Lemmy), or that a Page names as its own
 * (Friendica).
 */
const linkedPages = (note: Json): string[] => {
  const page = typesOf(note).includes("Page") ? linkOf(note["url"], "text/html") : null;
  const picture = addressOf(pictureOf(note));
  const pages = new Set([...attachedLinks(note), ...(page ? [page] : [])]);
  return [...pages].filter((url) => url !== picture).slice(0, MAX_LINKS);
};

/** Returns the file of an Image or Audio, among its addresses. A Video has none: it is large, and its page plays it. */
const ownFile = (note: Json): unknown[] => {
  const type = typesOf(note).find((type) => type === "Image" || type === "Audio");
  const isFile = (link: unknown) =>
    isRecord(link) && textOf(link["mediaType"])?.startsWith(`${type?.toLowerCase()}/`);
  const files = listOf(note["url"], MAX_READ).filter(isFile);
  return files.length > 0 ? [{ type, url: files.slice(0, 1) }] : [];
};

/** Returns the picture of an article or video, but not that of a page that it links to. */
const cover = (note: Json): unknown[] => {
  const picture = pictureOf(note);
  const address = addressOf(picture);
  const isOfLink = attachedLinks(note).some((link) => link !== address);
  return isOfLink ? [] : [{ ...picture, type: "Image" }];
};

/**
 * Returns the attachments in order; for converted objects the file that they are, or their picture where there is none.
 * `sensitive` says that one of them is marked as such (Misskey).
 */
export const attachmentsOf = (
  note: Json,
  converted: boolean,
): { media: NewRemoteMedia[]; sensitive: boolean } => {
  const items = listOf(note["attachment"], MAX_READ);
  const attached = [...items, ...(converted ? ownFile(note) : [])].flatMap(mediaOf);
  const media = attached.length === 0 && converted ? cover(note).flatMap(mediaOf) : attached;
  return {
    media: withinLimits(media),
    sensitive: items.some((item) => isRecord(item) && item["sensitive"] === true),
  };
};

/** ChatMessage is a message to one person, of Lemmy before 1.0 and the chats of Pleroma. */
const NATIVE = new Set(["Note", "Question", "ChatMessage"]);
/** Types that are shown as a text with a link to the page (object_types.converted of the contract). */
const CONVERTED = new Set(["Article", "Page", "Image", "Audio", "Video", "Event"]);

/** Types whose text is about something else. */
const NO_TEXT = /Collection|Tombstone/;

/** Whether an object of another type is somebody's text (a Review of BookWyrm, an Album of Bandwagon). */
const isOtherText = (value: unknown): boolean => {
  const types = typesOf(value);
  if (!isRecord(value) || types.length === 0 || types.some((type) => NO_TEXT.test(type)))
    return false;
  return idOf(value["attributedTo"]) !== null && Boolean(translated(value, "content"));
};

export const isNative = (value: unknown): boolean =>
  typesOf(value).some((type) => NATIVE.has(type));
export const isConverted = (value: unknown): boolean =>
  !isNative(value) && (typesOf(value).some((type) => CONVERTED.has(type)) || isOtherText(value));

/** Reads the language from the maps of its texts, or from a member of its own (Lemmy, PeerTube, Mobilizon). */
export const languageOf = (note: Json): string | null => {
  for (const member of ["content", "name", "summary"]) {
    const map = note[`${member}Map`];
    if (!isRecord(map)) continue;
    const entries = Object.entries(map).slice(0, 100);
    const own = entries.find(([, text]) => text === note[member]) ?? entries[0];
    if (own) return normaliseLanguage(own[0]);
  }
  const tag = note["language"] ?? note["inLanguage"];
  return normaliseLanguage(textOf(isRecord(tag) ? tag["identifier"] : tag));
};

/** UTF-16 units of Markdown that are parsed of one post: PeerTube's descriptions have as many at most. */
const MAX_MARKDOWN = 10_000;
/** Whom the text mentions, and its hashtags, are in its `tag`. */
const NO_LINKS = { mentions: new Map(), tagUrl: () => "" };

/** Returns the text as HTML. PeerTube writes Markdown. */
const bodyHtml = (note: Json): string => {
  const content = translated(note, "content") ?? "";
  const kind = textOf(note["mediaType"]) ?? "text/html";
  if (content === "" || /html/.test(kind)) return content;
  if (/markdown/.test(kind) && content.length <= MAX_MARKDOWN)
    return formatMarkdown(parseMarkdown(content), NO_LINKS);
  return plainToHtml(content.slice(0, STATUS_LIMITS.contentBytes));
};

/** Bytes of the text that are compared with its summary. */
const SUMMARY_LOOK = 2000;
/** Characters of the summary that have to be in the beginning of the text, to count as the same. */
const SAME_START = 60;

const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/**
 * Returns the summary of an article, unless it is the beginning of its text; and of an event, unless it states time and
 * place; but not the content warning. Ghost has it in the preview alone.
 */
const leadHtml = (note: Json, body: string): string => {
  const { preview } = note;
  const excerpt = isRecord(preview) ? translated(preview, "content") : null;
  const summary = translated(note, "summary") ?? excerpt ?? "";
  const lead = plainText(summary.slice(0, STATUS_LIMITS.contentBytes));
  const start = flat(lead.slice(0, SAME_START));
  if (lead === "" || flat(plainText(body.slice(0, SUMMARY_LOOK))).includes(start)) return "";
  if (lead === eventLines(note).join(", ") || sanitiseName(lead) === warningOf(note)) return "";
  return plainToHtml(cutBytes(lead, STATUS_LIMITS.summaryBytes));
};

/** Returns time and place of an event that cannot be stored as one, without a name or a time. */
const eventHtml = (note: Json): string => {
  const lines = eventLines(note);
  return lines.length === 0 ? "" : `<p>${lines.map(escapeHtml).join("<br>")}</p>`;
};

const linkHtml = (url: string, line = "", kind = ""): string =>
  sanitiseHtml(
    `<p class="${line}"><a href="${escapeHtml(url)}" class="${kind}">${escapeHtml(url)}</a></p>`,
  );

/** Returns what is above the text: the title, and how long it plays or how many stars it gives. */
const titleHtml = (note: Json): string => {
  const title = sanitiseName(translated(note, "name") ?? "", STATUS_LIMITS.titleLength);
  const named = title === "" ? [] : [`<strong>${escapeHtml(title)}</strong>`];
  const line = [...named, ...starsOf(note["rating"]), ...lengthOf(note["duration"])].join(" · ");
  return line === "" ? "" : `<p>${line}</p>`;
};

/** Shows other objects than notes with title, summary, text, the pages that they are about, and their own. */
const convertedHtml = (note: Json, url: string): string => {
  const body = bodyHtml(note);
  const event = parseEvent(note);
  const title = event ? eventHead(event.name, eventLines(note)) : titleHtml(note) + eventHtml(note);
  const head = title + leadHtml(note, body);
  const pages = linkedPages(note).filter((page) => page !== url);
  const kind = typesOf(note).includes("Video") ? VIDEO_LINK : "";
  const links = pages.map((page) => linkHtml(page)).join("") + linkHtml(url, PAGE_LINE, kind);
  return boundedHtml(head + body, STATUS_LIMITS.contentBytes - bytesOf(links)) + links;
};

/** Returns the warning of another object than a note (FEP-b2b8), or the summary of a sensitive one that has none. */
const subjectOf = (note: Json): string | null => {
  if (note["sensitive"] !== true) return null;
  const subject = textOf(note["dcterms:subject"]);
  if (subject !== null || parseEvent(note)) return subject;
  return plainText(translated(note, "summary") ?? "");
};

/**
 * Returns the summary of a note. That of an article is a part of its text, unless it is sensitive (BookWyrm, PeerTube)
 * and no other member is its warning.
 */
export const warningOf = (note: Json): string => {
  const warning = isNative(note) ? translated(note, "summary") : subjectOf(note);
  return cutBytes(sanitiseName(warning ?? ""), STATUS_LIMITS.summaryBytes);
};

/**
 * Shows a note with its title (a topic of a forum), which an answer repeats. One with nothing but a title (a question
 * of older servers, a link) has a link to its page.
 */
const nativeHtml = (note: Json, url: string): string => {
  const body = bodyHtml(note);
  const title = body === "" || idOf(note["inReplyTo"]) === null ? titleHtml(note) : "";
  const page = body === "" && title !== "" ? linkHtml(url, PAGE_LINE) : "";
  return boundedHtml(title + body, STATUS_LIMITS.contentBytes - bytesOf(page)) + page;
};

export const contentOf = (note: Json, url: string): string =>
  isNative(note) ? nativeHtml(note, url) : convertedHtml(note, url);

/** Matches what Iceshrimp and older servers write at the end of a text that quotes something. */
const QUOTE_END =
  /(<span>)?((?:<br \/>){0,3})(RE: ?)(<\/span>)?(<a [^<>]*>(?:[^<]|<\/?span[^<>]*>)*<\/a>)((?:<\/span>)?<\/p>)$/;

/** Marks the link to what is quoted, so that clients that show the quote hide it. */
export const withQuoteMarked = (content: string): string =>
  content.includes(QUOTE_LINE)
    ? content
    : content.replace(QUOTE_END, (_all, open = "", breaks, re, close = "", link, end) => {
        const around = open && close ? "" : open + close;
        return `${around}<span class="${QUOTE_LINE}">${breaks}${re}${link}</span>${end}`;
      });
