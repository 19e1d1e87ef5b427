// Row types of the emojis slice.

export type CustomEmojiRow = {
  shortcode: string;
  url: string;
  static_url: string;
  category: string | null;
  visible_in_picker: boolean;
};
