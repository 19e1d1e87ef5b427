// The images, videos and audio of a remote object, in the shapes that different servers use.

import { httpUrl, isRecord, linkOf, listOf, textOf, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { STATUS_LIMITS } from "../../platform/remote-limits.ts";
import { bytesOf, cutBytes } from "../../platform/text/cut.ts";
import type { NewRemoteMedia } from "../media/tables.ts";

const MAX_PIXELS = 100_000;
const BLURHASH = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,128}$/;

const BY_TYPE = new Map<string, NewRemoteMedia["type"]>([
  ["Image", "image"],
  ["Video", "video"],
  ["Audio", "audio"],
]);

const mediaTypeOf = (item: Json): string | null => {
  const own = textOf(item["mediaType"]);
  const [first] = listOf(item["url"], 1);
  const type = own ?? (isRecord(first) ? textOf(first["mediaType"]) : null);
  return type && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type.toLowerCase() : null;
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
  // Lemmy puts the link of a post here, which is not media.
  if (!url || typesOf(item).includes("Link")) return [];
  const mediaType = mediaTypeOf(item);
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

/** An address is shown as that of the file, of its preview and of the original. */
const SHOWN = 3;

/** Their descriptions are cut where they take too much together, and the last ones left out. */
const withinLimits = (all: NewRemoteMedia[]): NewRemoteMedia[] => {
  const media = all.slice(0, STATUS_LIMITS.attachments);
  let left = STATUS_LIMITS.attachmentsBytes;
  const kept: NewRemoteMedia[] = [];
  for (const one of media) {
    left -= SHOWN * bytesOf(one.url);
    if (left < 0) break;
    const description = cutBytes(one.description ?? "", left);
    left -= bytesOf(description);
    kept.push({ ...one, description: description === "" ? null : description });
  }
  return kept;
};

const MAX_READ = 100;
const MAX_LINKS = 5;

const attachedLinks = (note: Json): string[] =>
  listOf(note["attachment"], MAX_READ).flatMap((item) =>
    typesOf(item).includes("Link") && isRecord(item) ? (httpUrl(item["href"]) ?? []) : [],
  );

const pictureOf = (note: Json): string | null => {
  const [picture] = listOf(note["image"], 1);
  return isRecord(picture) ? linkOf(picture["url"] ?? picture["href"], "image") : httpUrl(picture);
};

/** The pages that an object is about: those that it has attached (Lemmy), or that a Page names as its own (Friendica). */
export const linkedPages = (note: Json): string[] => {
  const page = typesOf(note).includes("Page") ? linkOf(note["url"], "text/html") : null;
  const pages = new Set([...attachedLinks(note), ...(page ? [page] : [])]);
  return [...pages].filter((url) => url !== pictureOf(note)).slice(0, MAX_LINKS);
};

/** An Image or Audio is a file itself, among its addresses. A Video is not: it is large, and its page plays it. */
const ownFile = (note: Json): unknown[] => {
  const type = typesOf(note).find((one) => one === "Image" || one === "Audio");
  const isFile = (link: unknown) =>
    isRecord(link) && textOf(link["mediaType"])?.startsWith(`${type?.toLowerCase()}/`);
  const files = listOf(note["url"], MAX_READ).filter(isFile);
  return files.length > 0 ? [{ type, url: files.slice(0, 1) }] : [];
};

/** The picture of an article; not of a page that it links to. */
const cover = (note: Json): unknown[] => {
  const url = pictureOf(note);
  const isOfLink = attachedLinks(note).some((link) => link !== url);
  const [picture] = listOf(note["image"], 1);
  const text = isRecord(picture) ? (picture["summary"] ?? picture["name"]) : null;
  return url && !isOfLink ? [{ type: "Image", url, name: text }] : [];
};

/**
 * The attachments in order, of converted objects the file that they are or their picture where there is none;
 * `sensitive` when one of them is marked as such (Misskey).
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
