// Like of a local post, and emoji reactions, which count as one: EmojiReact (Pleroma, Akkoma), or a Like with
// `_misskey_reaction` or `content` (Misskey). Likes of remote posts are counted by their own servers.

import { textOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { EMOJI_LIMITS } from "../../../platform/remote-limits.ts";
import { bytesOf } from "../../../platform/text/cut.ts";
import { sanitiseName } from "../../../platform/text/plain.ts";
import { emojisOf } from "../../../domain/base/emojis/parse.ts";
import { objectUri } from "../activity.ts";
import { aboutOwnPost, apply } from "../decision.ts";
import type { Parse } from "../decision.ts";

/** Characters of a reaction: the longest name of an emoji, with its colons. */
const MAX_REACTION = 130;
const HEART = new Set(["", "❤", "❤️"]);

/** Returns the emoji, a character or `:name:`; null for none, or for the one that means an ordinary Like. */
const reactionOf = (body: Json): string | null => {
  const text = textOf(body["content"]) ?? textOf(body["_misskey_reaction"]) ?? "";
  const reaction = text.trim().replace(/^(:[^:@]+)@[^:]*:$/, "$1:");
  return HEART.has(reaction) || reaction.length > MAX_REACTION ? null : sanitiseName(reaction);
};

/** Returns the address of a custom emoji's picture, where the activity has it. */
const pictureOf = (body: Json, reaction: string | null): string | null => {
  const emoji = emojisOf(body["tag"]).find(({ shortcode }) => `:${shortcode}:` === reaction);
  return emoji && bytesOf(emoji.url) <= EMOJI_LIMITS.reactionUrlBytes ? emoji.url : null;
};

export const parseLike: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const target = objectUri(body);
  if (!target || !isLocalUri(target)) return null;
  return aboutOwnPost(incoming, target, ({ id: statusId }, uri) => {
    const reaction = reactionOf(body);
    const reactionUrl = pictureOf(body, reaction);
    const favourite = { accountId: actor.id, statusId, uri, reaction, reactionUrl };
    return apply({ do: "favourite", favourite });
  });
};
