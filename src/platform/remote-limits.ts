// What is stored of what other servers send, at most: in bytes of UTF-8, after sanitising. The sums bound
// a row, and with it a page: docs/LIMITS.md computes what follows. Numbers that the contract names are
// those of other servers (activitypub.json, size_limits).

const KIB = 1024;

/** An entry of a btree index takes 2,704 bytes; addresses are indexed alone, or with a domain. */
export const MAX_URL_BYTES = 2048;

/** JSON that nests deeper is refused: reading it recursively must not overflow the stack. */
export const MAX_JSON_DEPTH = 64;

/** One document or activity. Contract: document_bytes. */
export const MAX_DOCUMENT_BYTES = 1024 * KIB;

/** Years that both JavaScript and PostgreSQL write with four digits. */
export const YEARS = { first: 1, last: 9999 };

/** Counts that they claim: of votes, voters. What clients read as a 32-bit number. */
export const MAX_COUNT = 2 ** 31 - 1;

export const STATUS_LIMITS = {
  /** HTML. Longer articles are cut and end with a link to their page. */
  contentBytes: 48 * KIB,
  /** The content warning. */
  summaryBytes: 2 * KIB,
  /** The title of an article, in UTF-16 units. */
  titleLength: 500,
  /** Where an event is, in UTF-16 units. */
  placeLength: 500,
  /** Addressed accounts that are read; the mentioned are those that have a tag. */
  addressed: 200,
  mentions: 100,
  /** Of the names and addresses of the mentioned; people of this server always count as mentioned. */
  mentionsBytes: 16 * KIB,
  hashtags: 100,
  /** Of the names; with its address each is shown with about four times as much. */
  hashtagsBytes: 4 * KIB,
  attachments: 16,
  /** Of a description, in UTF-16 units. Contract: media_description. */
  descriptionLength: 10_000,
  /**
   * Of all descriptions and addresses, which are shown three times: the first descriptions are cut, then attachments
   * left out.
   */
  attachmentsBytes: 32 * KIB,
  /** Other servers allow more options than this one. */
  pollOptions: 40,
  /** Of an option, in UTF-16 units. */
  pollOptionLength: 500,
  /** Of all options. A poll with more is dropped: votes name options, so that none can be cut. */
  pollBytes: 16 * KIB,
};

export const EMOJI_LIMITS = {
  count: 100,
  /** A shortcode, in characters (ASCII). */
  shortcode: 128,
  /** Of all shortcodes and addresses, which are shown twice. Further emojis stay text. */
  bytes: 16 * KIB,
  /** The address of a reaction's picture: a post is shown with twenty, twice each. Others have none. */
  reactionUrlBytes: 300,
};

export const ACTOR_LIMITS = {
  /** Contract: preferredUsername. It is indexed with the domain. */
  usernameBytes: 2048,
  /** In UTF-16 units; contract: name. */
  nameLength: 2048,
  nameBytes: 4 * KIB,
  /** Descriptions of the avatar and the header. */
  pictureTextBytes: 2 * KIB,
  /** HTML. Contract: summary_bytes. */
  noteBytes: 20 * KIB,
  /** Contract: fields. */
  fields: 50,
  /** Of a name or a value, in UTF-16 units; contract: field_name_or_value. */
  fieldLength: 2047,
  /** Of all names and values: further fields are left out. */
  fieldsBytes: 16 * KIB,
  /** alsoKnownAs and attributionDomains; contract: both. */
  list: 256,
  listBytes: 16 * KIB,
  /** PEM. An RSA key of 16,384 bits has 2.8 kB. */
  keyBytes: 8 * KIB,
};
