// Presents poll views as the JSON entity. https://docs.joinmastodon.org/entities/Poll/

import { emojiEntity } from "../../base/emojis/present.ts";
import type { EmojiRow } from "../../base/emojis/tables.ts";
import type { PollView } from "./tables.ts";

/** With `isAuthor` the viewer cannot vote. `emojis` are those of the status. */
export const pollEntity = (poll: PollView, isAuthor: boolean, emojis: EmojiRow[]) => {
  const isHidden = poll.hide_totals && !poll.expired;
  const text = poll.options.join(" ");
  return {
    id: poll.id,
    expires_at: poll.expires_at && new Date(poll.expires_at).toISOString(),
    expired: poll.expired,
    multiple: poll.multiple,
    votes_count: poll.tallies.reduce((sum, count) => sum + count, 0),
    voters_count: poll.voters_count,
    ...(poll.ownVotes && {
      voted: isAuthor || poll.ownVotes.length > 0,
      own_votes: poll.ownVotes,
    }),
    options: poll.options.map((title, index) => ({
      title,
      votes_count: isHidden ? null : poll.tallies[index]!,
    })),
    emojis: emojis.filter(({ shortcode }) => text.includes(`:${shortcode}:`)).map(emojiEntity),
  };
};
