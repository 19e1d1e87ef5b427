// Bounds of the server's own emojis. Numbers that the contract names are those of limits.json.

export const OWN_EMOJI_LIMITS = {
  /** Contract: custom_emoji_bytes. */
  bytes: 262_144,
  /** Contract: emoji_shortcode_length. */
  shortcode: { min: 2, max: 128 },
  category: 100,
  /** The list is one response, which pickers read at their start. */
  count: 10_000,
  pixels: 2_000_000,
  frames: 300,
  /** Of a larger picture the side that is stored. */
  side: 256,
};

/** What one request adds: more takes too long for a browser that waits. */
export const AT_ONCE = { pack: 500, copied: 20 };

export const PACK_LIMITS = {
  /** Files of any kind in a pack. */
  files: 20_000,
  /** Of all files, unpacked. */
  bytes: 1024 * 1024 * 1024,
};
