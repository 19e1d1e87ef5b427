// Bounds the server's own emojis. Numbers that clients see are those of the contract (limits.json).

export const OWN_EMOJI_LIMITS = {
  /** Bytes of a picture (custom_emoji_bytes of the contract). */
  bytes: 262_144,
  /** Characters of a shortcode (emoji_shortcode_length of the contract). */
  shortcode: { min: 2, max: 128 },
  category: 100,
  /** Emojis of the server: pickers read them all in one response when they start. */
  count: 10_000,
  pixels: 2_000_000,
  frames: 300,
  /** Pixels of the side that is stored of a larger picture. */
  side: 256,
};

/** Emojis that one request may add, so that a browser does not wait too long. */
export const AT_ONCE = { pack: 500, copied: 20 };

export const PACK_LIMITS = {
  /** Files of any kind in a pack. */
  files: 20_000,
  /** Unpacked bytes of all files of a pack. */
  bytes: 1024 * 1024 * 1024,
};
