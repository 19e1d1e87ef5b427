// Reads what is shown of an oEmbed document. Only the address of a frame is taken from its HTML: the frame itself is
// made here, in a sandbox. https://oembed.com

import { Parser } from "htmlparser2";
import { httpUrl, numberOf, parseRecord, textOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { escapeHtml } from "../../../platform/text/html.ts";
import { CARD_LIMITS } from "./limits.ts";
import type { CardData, CardType } from "./tables.ts";

export type OEmbed = {
  type: CardType;
  title: string;
  authorName: string;
  authorUrl: string;
  providerName: string;
  providerUrl: string;
  /** Addresses of the picture, or of a picture in place of the frame, and of the frame. */
  image: string;
  embedUrl: string;
  html: string;
  width: number;
  height: number;
};

/**
 * Hosts whose `rich` frames are shown: players and viewers with an address of their own. `rich` of others is a page's
 * own text (WordPress sends one for every post) and is shown as a link.
 */
const RICH_FRAMES = new Set(
  (
    "bandcamp.com codepen.io www.figma.com embed.figma.com www.mixcloud.com " +
    "player-widget.mixcloud.com open.spotify.com speakerdeck.com w.soundcloud.com widget.deezer.com"
  ).split(" "),
);

const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-presentation allow-forms";

const sideOf = (value: unknown): number => {
  const number = Math.round(numberOf(value));
  return number > 0 ? Math.min(number, CARD_LIMITS.side) : 0;
};

/** Returns the address of the first frame in the HTML. */
const frameIn = (html: string): string | null => {
  let address: string | null = null;
  const parser = new Parser({
    onopentag(name, { src }) {
      if (name === "iframe") address ??= httpUrl(src?.startsWith("//") ? `https:${src}` : src);
    },
  });
  parser.write(html);
  return address;
};

type FrameFacts = { title: string; width: number; height: number; allow?: string };

const frameHtml = (src: string, { title, width, height, allow }: FrameFacts): string =>
  `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" width="${width}" height="${height}" ` +
  `sandbox="${SANDBOX}" referrerpolicy="strict-origin-when-cross-origin" loading="lazy" allowfullscreen` +
  `${allow ? ` allow="${allow}"` : ""}></iframe>`;

const PLAYING = "autoplay; encrypted-media; fullscreen; picture-in-picture";

/** Returns the frame of a card, which plays at once, and the origin that it is of; null where a card has none. */
export const playerOf = (card: CardData): { frame: string; origin: string } | null => {
  const src = URL.parse(frameIn(card.html) ?? "");
  if (!src) return null;
  // PeerTube, YouTube and Vimeo know this parameter; somebody has pressed the picture before.
  if (card.type === "video") src.searchParams.set("autoplay", "1");
  return { frame: frameHtml(src.href, { ...card, allow: PLAYING }), origin: src.origin };
};

type Shape = Pick<OEmbed, "type" | "embedUrl" | "html" | "width" | "height">;

const LINK: Shape = { type: "link", embedUrl: "", html: "", width: 0, height: 0 };

/** Refuses frames of our own pages: a frame with scripts and the origin of the page around it can leave its sandbox. */
const frameOf = (
  document: Json,
  type: "video" | "rich",
  isOurs: (url: string) => boolean,
): Shape => {
  const src = frameIn(textOf(document["html"]) ?? "");
  if (!src || isOurs(src)) return LINK;
  if (type === "rich" && !RICH_FRAMES.has(new URL(src).hostname)) return LINK;
  const size = { width: sideOf(document["width"]), height: sideOf(document["height"]) };
  const title = (textOf(document["title"]) ?? "").slice(0, CARD_LIMITS.title);
  return { ...LINK, type, html: frameHtml(src, { title, ...size }), ...size };
};

const photoOf = (document: Json): Shape => {
  const url = httpUrl(document["url"]);
  if (!url) return LINK;
  const size = { width: sideOf(document["width"]), height: sideOf(document["height"]) };
  return { ...LINK, type: "photo", embedUrl: url, ...size };
};

const shapeOf = (document: Json, isOurs: (url: string) => boolean): Shape => {
  const { type } = document;
  if (type === "photo") return photoOf(document);
  return type === "video" || type === "rich" ? frameOf(document, type, isOurs) : LINK;
};

/** Returns null where the text is no oEmbed document. `isOurs` says whether an address is on this server. */
export const readOEmbed = (text: string, isOurs: (url: string) => boolean): OEmbed | null => {
  const document = parseRecord(text);
  if (!document) return null;
  const shape = shapeOf(document, isOurs);
  return {
    ...shape,
    title: textOf(document["title"]) ?? "",
    authorName: textOf(document["author_name"]) ?? "",
    authorUrl: textOf(document["author_url"]) ?? "",
    providerName: textOf(document["provider_name"]) ?? "",
    providerUrl: textOf(document["provider_url"]) ?? "",
    image: (shape.embedUrl || textOf(document["thumbnail_url"])) ?? "",
  };
};
