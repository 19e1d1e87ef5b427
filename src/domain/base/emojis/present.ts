// Turns emojis into the CustomEmoji entity and into ActivityPub tags.
// https://docs.joinmastodon.org/entities/CustomEmoji/

import type { FullConfig } from "../../../platform/config/config.ts";
import { fileUrl, typeOfKey } from "../../../platform/storage/index.ts";
import type { CustomEmojiRow, EmojiRow } from "./tables.ts";

type Site = FullConfig["site"];

/** Turns one of the server's own emojis into the form that texts have. */
export const ownEmoji = (row: CustomEmojiRow, site: Site): EmojiRow => ({
  shortcode: row.shortcode,
  url: fileUrl(site, row.file_key),
  static_url: fileUrl(site, row.static_key),
  own: {
    id: row.id,
    updatedAt: row.updated_at.toISOString(),
    mediaType: typeOfKey(row.file_key) ?? "image/png",
    isOffered: row.visible_in_picker,
  },
});

/** Presents one of the server's own emojis in the list for pickers. */
export const customEmojiEntity = (row: CustomEmojiRow, site: Site) => ({
  shortcode: row.shortcode,
  url: fileUrl(site, row.file_key),
  static_url: fileUrl(site, row.static_key),
  visible_in_picker: row.visible_in_picker,
  ...(row.category !== null && { category: row.category }),
});

/** Presents an emoji that a text has. */
export const emojiEntity = ({ shortcode, url, static_url, own }: EmojiRow) => ({
  shortcode,
  url,
  static_url,
  visible_in_picker: own?.isOffered ?? false,
});

const seconds = (time: string): string => `${time.slice(0, 19)}Z`;

/** Makes the tag of an object for one of the server's own emojis; returns nothing for emojis of others. */
export const emojiTag = ({ shortcode, url, own }: EmojiRow, site: Site) =>
  own
    ? [
        {
          id: `${site.origin}/emojis/${own.id}`,
          type: "Emoji",
          name: `:${shortcode}:`,
          updated: seconds(own.updatedAt),
          icon: { type: "Image", mediaType: own.mediaType, url },
        },
      ]
    : [];
