// Draws the HTML of the API, and plain texts with custom emojis, as elements.

import { createElement, Fragment } from "preact";
import type { ComponentChildren } from "preact";
import type { CustomEmoji } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { lookOf } from "../look.ts";
import { useReading } from "./reading.ts";
import { isEventLine, isPageLine, parseHtml, withoutQuoteLines } from "./parse-html.ts";
import type { Node } from "./parse-html.ts";

type Emojis = readonly CustomEmoji[];

/** Draws an emoji, still unless the reader and the device allow motion. */
const Emoji = ({ emoji }: { emoji: CustomEmoji }) => {
  const { look } = useApp();
  const { autoplay } = useReading();
  const { url, static_url, shortcode } = emoji;
  const moves = autoplay && url !== static_url && lookOf(look, "motion") !== "reduced";
  const image = (
    <img
      class="emoji"
      src={moves ? url : static_url}
      alt={`:${shortcode}:`}
      title={`:${shortcode}:`}
      width="20"
      height="20"
      loading="lazy"
    />
  );
  if (!moves) return image;
  return (
    <picture>
      <source srcset={static_url} media="(prefers-reduced-motion: reduce)" />
      {image}
    </picture>
  );
};

/** Draws a plain text with its shortcodes as pictures. */
export const withEmojis = (text: string, emojis: Emojis): ComponentChildren => {
  if (emojis.length === 0 || !text.includes(":")) return text;
  return text.split(/(:[\w-]+:)/).map((part, index) => {
    const emoji = index % 2 === 1 && emojis.find(({ shortcode }) => `:${shortcode}:` === part);
    return emoji ? <Emoji key={index} emoji={emoji} /> : part;
  });
};

/** Returns a plain text without shortcodes, for places without pictures. */
export const withoutEmojis = (text: string, emojis: Emojis): string => {
  const known = new Set(emojis.map(({ shortcode }) => `:${shortcode}:`));
  return text
    .split(/(:[\w-]+:)/)
    .filter((part) => !known.has(part))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
};

const isMention = (attributes: Record<string, string>): boolean =>
  /(?:^|\s)(?:mention|hashtag)(?:\s|$)/.test(attributes["class"] ?? "");

const render = (node: Node, emojis: Emojis, key: number): ComponentChildren => {
  if (typeof node === "string") return <Fragment key={key}>{withEmojis(node, emojis)}</Fragment>;
  const { name, attributes, children } = node;
  const isOutside = name === "a" && !isMention(attributes);
  const more = isOutside ? { rel: "nofollow noopener noreferrer", target: "_blank" } : {};
  const shown = name === "code" ? [] : emojis;
  const inside = children.map((child, index) => render(child, shown, index));
  return createElement(name, { key, ...attributes, ...more }, name === "br" ? undefined : inside);
};

type Props = {
  html: string;
  emojis?: Emojis;
  /** Leaves out the line that links to the quoted post, which is shown below. */
  withoutQuoteLine?: boolean;
  /** Leaves out the line of the event, which is shown below. */
  withoutEventLine?: boolean;
  /** Leaves out the line that links to the page elsewhere, which is named below. */
  withoutPageLine?: boolean;
};

/** Draws a text in the API's HTML. */
export const RichText = ({
  html,
  emojis = [],
  withoutQuoteLine = false,
  withoutEventLine = false,
  withoutPageLine = false,
}: Props) => (
  <>
    {(withoutQuoteLine ? withoutQuoteLines(parseHtml(html)) : parseHtml(html))
      .filter((node) => !withoutEventLine || !isEventLine(node))
      .filter((node) => !withoutPageLine || !isPageLine(node))
      .map((node, index) => render(node, emojis, index))}
  </>
);
