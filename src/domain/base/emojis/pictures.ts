// Puts pictures in place of the shortcodes of custom emojis on pages.

import { escapeHtml, html, raw } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { webUrl } from "../../../platform/text/web-url.ts";
import type { EmojiRow } from "./tables.ts";

const SHORTCODE = /:([a-zA-Z0-9_-]{2,128}):/g;

/** Puts pictures in place of shortcodes; `escaped` is text between tags, already escaped. */
const picture = (escaped: string, emojis: EmojiRow[]): string =>
  escaped.replace(SHORTCODE, (whole, name: string) => {
    const url = webUrl(emojis.find((emoji) => emoji.shortcode === name)?.url);
    if (!url) return whole;
    return String(html`<img class="emoji" src="${url}" alt="${whole}" title="${whole}" />`);
  });

/** Turns plain text into HTML with its custom emojis as pictures. */
export const withEmojis = (text: string, emojis: EmojiRow[]): Html =>
  raw(picture(escapeHtml(text), emojis));

/** Puts pictures of custom emojis into HTML that was sanitised when it came in, but never inside tags. */
export const richText = (content: string, emojis: EmojiRow[]): Html =>
  raw(
    content
      .split(/(<[^>]*>)/)
      .map((piece) => (piece.startsWith("<") ? piece : picture(piece, emojis)))
      .join(""),
  );
