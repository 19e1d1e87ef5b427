// Row types of the announcements slice.

import type { AccountView } from "../../people/accounts/tables.ts";
import type { CustomEmojiRow } from "../../base/emojis/tables.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";

export type AnnouncementRow = {
  id: string;
  text: string;
  starts_at: Date | null;
  ends_at: Date | null;
  all_day: boolean;
  scheduled_at: Date | null;
  published_at: Date | null;
  updated_at: Date;
};

export type ReactionRow = { announcement_id: string; name: string; count: number; me: boolean };

export type AnnouncementView = AnnouncementRow & {
  /** Whether the viewer dismissed it; null without a viewer. */
  read: boolean | null;
  reactions: ReactionRow[];
  /** Maps handles as typed, in lower case without the first @, to accounts. */
  mentions: Map<string, AccountView>;
  statuses: SeenStatus[];
  /** Maps shortcodes to custom emojis in the text or the reactions. */
  emojis: Map<string, CustomEmojiRow>;
};
