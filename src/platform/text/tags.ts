// Names of hashtags: which are valid, how they are shown, and the key they are stored under.

/** Characters of a tag's name; the separators below are only allowed inside it. */
export const TAG_WORD = String.raw`\p{L}\p{M}\p{Nd}_`;
/** The zero-width non-joiner and three middle dots, which words of several scripts need. */
export const TAG_SEPARATORS = String.raw`\u200c\u00b7\u30fb\uff65`;

/** Maximum UTF-16 units of a tag's name. */
export const MAX_TAG_LENGTH = 255;

const WHOLE_NAME = new RegExp(
  `^[${TAG_WORD}](?:[${TAG_WORD}${TAG_SEPARATORS}]*[${TAG_WORD}])?$`,
  "u",
);
const NOT_IN_NAME = new RegExp(`[^${TAG_WORD}${TAG_SEPARATORS}]`, "gu");

/** Whether `name`, without #, can be a hashtag: not only digits, not only separators. */
export const isTagName = (name: string): boolean =>
  name.length <= MAX_TAG_LENGTH &&
  /[\p{L}\p{M}\p{Nd}]/u.test(name) &&
  !/^\p{Nd}+$/u.test(name) &&
  WHOLE_NAME.test(name);

// Latin letters that Unicode does not decompose into a base letter and a mark.
const FOLDED: Record<string, string> = {
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ĸ: "k",
  ł: "l",
  ŋ: "n",
  ŧ: "t",
};

/** Returns the name as shown: as typed, without # and without characters that tags cannot have. */
export const displayTag = (name: string): string => name.normalize("NFC").replace(NOT_IN_NAME, "");

/** Matches most names, which are their own key. */
const PLAIN_KEY = /^[a-z0-9_]+$/;

/**
 * Returns the key of a tag: `ÜnÏcode_1` and `unicode_1` are the same tag. Width and case are folded in every script,
 * accents only on Latin letters: in other scripts they distinguish words (が and か).
 */
export const normaliseTag = (name: string): string =>
  PLAIN_KEY.test(name)
    ? name
    : displayTag(name.normalize("NFKC"))
        .toLowerCase()
        .normalize("NFD")
        .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
        .normalize("NFC")
        .replace(/[øđðħıĸłŋŧ]/g, (char) => FOLDED[char] ?? char);
