// Bounds what is read of a page, and what is stored of it. Texts are in UTF-16 units, as sanitiseName cuts them.

export const PAGE_LIMITS = {
  /** Bytes of HTML that are read. */
  bytes: 1024 * 1024,
  /** Tags that are read, end tags included. */
  tags: 15_000,
  /** Units of one value of a <meta>, and of the title. */
  text: 4096,
  /** Units of all JSON-LD of a page. */
  jsonLd: 256 * 1024,
  /** Objects of the JSON-LD that are looked at. */
  jsonLdItems: 50,
  oEmbedBytes: 64 * 1024,
  timeoutMs: 8000,
};

export const CARD_LIMITS = {
  title: 300,
  description: 1000,
  name: 200,
  imageDescription: 1500,
  /** Pixels of a side of an embedded frame. */
  side: 4096,
};

export const PICTURE_LIMITS = {
  bytes: 8 * 1024 * 1024,
  pixels: 33_000_000,
  /** Pixels that are stored, as of 960 × 540; the proportions stay. */
  stored: 518_400,
};
