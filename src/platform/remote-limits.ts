// Limits of what is stored from other servers, in bytes of UTF-8 after sanitising. The sums limit a row, and with it a
// page: docs/LIMITS.md computes what follows. Numbers that the contract names are those of other servers
// (activitypub.json, size_limits).

const KIB = 1024;

/**
 * Bytes of an address. An entry of a btree index has at most 2,704 bytes; addresses are indexed alone, or with a
 * domain.
 */
export const MAX_URL_BYTES = 2048;

/** Depth of nested JSON; deeper JSON is refused, because reading it recursively must not overflow the stack. */
export const MAX_JSON_DEPTH = 64;

/** Bytes of one document or activity. Contract: document_bytes. */
export const MAX_DOCUMENT_BYTES = 1024 * KIB;

/** Years that both JavaScript and PostgreSQL write with four digits. */
export const YEARS = { first: 1, last: 9999 };

/** Highest count of votes or voters, since clients read it as a 32-bit number. */
export const MAX_COUNT = 2 ** 31 - 1;

export const STATUS_LIMITS = {
  /** Bytes of HTML. Longer articles are cut and end with a link to their page. */
  contentBytes: 48 * KIB,
  /** Bytes of the content warning. */
  summaryBytes: 2 * KIB,
  /** The title of an article, in UTF-16 units. */
  titleLength: 500,
  /** Length of an event's place, in UTF-16 units. */
  placeLength: 500,
  /** Addressed accounts that are read; those with a tag count as mentioned. */
  addressed: 200,
  mentions: 100,
  /** Bytes of the names and addresses of mentioned accounts; people of this server always count as mentioned. */
  mentionsBytes: 16 * KIB,
  hashtags: 100,
  /** Bytes of all hashtags' names; with its address each is shown with about four times as much. */
  hashtagsBytes: 4 * KIB,
  attachments: 16,
  /** Length of a description, in UTF-16 units. Contract: media_description. */
  descriptionLength: 10_000,
  /**
   * Bytes of all descriptions and addresses, which are shown three times. First descriptions are cut, then attachments
   * left out.
   */
  attachmentsBytes: 32 * KIB,
  /** Options of a poll; other servers allow more than this one. */
  pollOptions: 40,
  /** Length of an option, in UTF-16 units. */
  pollOptionLength: 500,
  /** Bytes of all options. A poll with more is dropped: votes name options, so none can be cut. */
  pollBytes: 16 * KIB,
};

export const EMOJI_LIMITS = {
  count: 100,
  /** Length of a shortcode, in characters (ASCII). */
  shortcode: 128,
  /** Bytes of all shortcodes and addresses, which are shown twice. Further emojis stay text. */
  bytes: 16 * KIB,
  /**
   * Bytes of the address of a reaction's picture: a post is shown with twenty, twice each. A reaction with a longer
   * address has no picture.
   */
  reactionUrlBytes: 300,
};

export const ACTOR_LIMITS = {
  /** Bytes of a username, which is indexed with the domain. Contract: preferredUsername. */
  usernameBytes: 2048,
  /** Length of a display name, in UTF-16 units. Contract: name. */
  nameLength: 2048,
  nameBytes: 4 * KIB,
  /** Bytes of each description of the avatar and the header. */
  pictureTextBytes: 2 * KIB,
  /** Bytes of a profile's HTML. Contract: summary_bytes. */
  noteBytes: 20 * KIB,
  /** Number of profile fields. Contract: fields. */
  fields: 50,
  /** Length of a field's name or value, in UTF-16 units. Contract: field_name_or_value. */
  fieldLength: 2047,
  /** Bytes of all names and values; further fields are left out. */
  fieldsBytes: 16 * KIB,
  /** Entries of alsoKnownAs and of attributionDomains. Contract: both. */
  list: 256,
  listBytes: 16 * KIB,
  /** Bytes of a key as PEM. An RSA key of 16,384 bits has 2.8 kB. */
  keyBytes: 8 * KIB,
};
