// Row types of the emojis slice.

/** One of the server's own emojis. */
export type CustomEmojiRow = {
  id: string;
  shortcode: string;
  file_key: string;
  static_key: string;
  category: string | null;
  visible_in_picker: boolean;
  disabled: boolean;
  updated_at: Date;
};

/** An emoji in a text, of another server or one of this server's own. */
export type EmojiRow = {
  shortcode: string;
  url: string;
  static_url: string;
  /** What other servers get of one of this server's own emojis, and whether pickers offer it. */
  own?: { id: string; updatedAt: string; mediaType: string; isOffered: boolean };
};
