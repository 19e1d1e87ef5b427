// Shows the HTML of the API, and plain texts with custom emojis, as elements.

import { createElement, Fragment } from "preact";
import type { ComponentChildren } from "preact";
import type { CustomEmoji } from "../api/entities.ts";
import { isQuoteLine, parseHtml } from "./parse-html.ts";
import type { Node } from "./parse-html.ts";

type Emojis = readonly CustomEmoji[];

const emojiImage = (emoji: CustomEmoji, key: number) => (
  <img
    key={key}
    class="emoji"
    src={emoji.url}
    alt={`:${emoji.shortcode}:`}
    title={`:${emoji.shortcode}:`}
    width="20"
    height="20"
    loading="lazy"
  />
);

/** A plain text whose shortcodes are shown as pictures. */
export const withEmojis = (text: string, emojis: Emojis): ComponentChildren => {
  if (emojis.length === 0 || !text.includes(":")) return text;
  return text.split(/(:\w+:)/).map((part, index) => {
    const emoji = index % 2 === 1 && emojis.find(({ shortcode }) => `:${shortcode}:` === part);
    return emoji ? emojiImage(emoji, index) : part;
  });
};

/** A plain text where there are no pictures. */
export const withoutEmojis = (text: string, emojis: Emojis): string => {
  const known = new Set(emojis.map(({ shortcode }) => `:${shortcode}:`));
  return text
    .split(/(:\w+:)/)
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
  const inside = children.map((child, index) => render(child, emojis, index));
  return createElement(name, { key, ...attributes, ...more }, name === "br" ? undefined : inside);
};

type Props = {
  html: string;
  emojis?: Emojis;
  /** The quoted post is shown below, so that the line that links to it is left out. */
  withoutQuoteLine?: boolean;
};

/** The elements of a text in the API's HTML. */
export const RichText = ({ html, emojis = [], withoutQuoteLine = false }: Props) => (
  <>
    {parseHtml(html)
      .filter((node) => !withoutQuoteLine || !isQuoteLine(node))
      .map((node, index) => render(node, emojis, index))}
  </>
);
