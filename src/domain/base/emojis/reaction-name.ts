// Checks and writes the names of reactions: a character, or one of the server's own emojis.

import type { App } from "../../../platform/app.ts";
import { invalidField } from "../../../platform/errors.ts";
import { findEmojis } from "./load.ts";
import { ownEmoji } from "./present.ts";
import type { EmojiRow } from "./tables.ts";

/** Is made at its first use, which takes longer than loading most modules. */
let emoji: RegExp | null = null;
const emojiPattern = (): RegExp => (emoji ??= new RegExp("^\\p{RGI_Emoji}$", "v"));
/** The variation selector asks for an emoji where a character has a text form too. */
const AS_PICTURE = "\ufe0f";

const isEmoji = (name: string): boolean =>
  name.length <= 64 && (emojiPattern().test(name) || emojiPattern().test(name + AS_PICTURE));

const SHORTCODE = /^[A-Za-z0-9_]{2,128}$/;

/** Throws Unprocessable for other text, and for emojis that are disabled. */
export const checkReactionName = async (app: App, name: string): Promise<void> => {
  if (isEmoji(name)) return;
  if (SHORTCODE.test(name) && (await findEmojis(app, [name])).has(name)) return;
  throw invalidField("name", "is not a recognized emoji");
};

/** Returns the reaction as it is stored and sent: the character, or `:name:`. The name must have been checked. */
export const reactionText = async (app: App, name: string): Promise<string> => {
  const bare = /^:([^:]+):$/.exec(name)?.[1] ?? name;
  await checkReactionName(app, bare);
  return SHORTCODE.test(bare) ? `:${bare}:` : bare;
};

/** Returns the server's own emoji that the text names; null for a character, or where the emoji was deleted. */
export const ownEmojiOf = async (app: App, text: string): Promise<EmojiRow | null> => {
  const code = /^:([^:]+):$/.exec(text)?.[1];
  const row = code === undefined ? undefined : (await findEmojis(app, [code])).get(code);
  return row ? ownEmoji(row, app.config.site) : null;
};
