// Formats an emoji with which somebody here favourites a remote post, as it is sent there.

import type { App } from "../platform/app.ts";
import { emojiTag } from "../domain/base/emojis/present.ts";
import { ownEmojiOf } from "../domain/base/emojis/reaction-name.ts";
import type { SentReaction } from "../domain/posts/statuses/activitypub-acts.ts";

/** Software that reads a Like as one without an emoji, and so gets EmojiReact. */
const EMOJI_REACT = new Set<string | null>(["pleroma", "akkoma"]);

/** `software` is that of the author's server; null if unknown. */
export const sentReaction = async (
  app: App,
  text: string,
  software: string | null,
): Promise<SentReaction> => {
  const emoji = await ownEmojiOf(app, text);
  const tag = emoji ? emojiTag(emoji, app.config.site) : [];
  return { text, tag, asEmojiReact: EMOJI_REACT.has(software) };
};
