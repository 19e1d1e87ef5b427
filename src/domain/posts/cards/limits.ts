// What is read of a page, and what is stored of it, at most. Texts in UTF-16 units, as sanitiseName cuts them.

export const PAGE_LIMITS = {
  /** Of the HTML: what comes later is not read. */
  bytes: 1024 * 1024,
  /** With end tags. */
  tags: 15_000,
  /** Of one value of a <meta>, of the title. */
  text: 4096,
  /** Of all JSON-LD of a page. */
  jsonLd: 256 * 1024,
  /** Objects of it that are looked at. */
  jsonLdItems: 50,
  oEmbedBytes: 64 * 1024,
  timeoutMs: 8000,
};

export const CARD_LIMITS = {
  title: 300,
  description: 1000,
  name: 200,
  imageDescription: 1500,
  /** Pixels of an embedded frame. */
  side: 4096,
};

export const PICTURE_LIMITS = {
  bytes: 8 * 1024 * 1024,
  pixels: 33_000_000,
  /** In proportion, as 960 × 540. */
  stored: 518_400,
};
