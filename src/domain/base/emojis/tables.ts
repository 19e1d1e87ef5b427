// Row types of the emojis slice.

/** One of the server's own. */
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

/** An emoji in a text: of another server as that wrote it, or one of this server's own. */
export type EmojiRow = {
  shortcode: string;
  url: string;
  static_url: string;
  /** What other servers get of one of our own, and whether pickers offer it. */
  own?: { id: string; updatedAt: string; mediaType: string; isOffered: boolean };
};
