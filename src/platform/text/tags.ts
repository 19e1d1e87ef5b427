// Names of hashtags: which are valid, how they are shown, and the key they are stored under.

/** Characters of a tag's name; ZWNJ and the middle dots may stand inside only. */
export const TAG_WORD = String.raw`\p{L}\p{M}\p{Nd}_`;
/** Zero width non-joiner and three middle dots, which words of several scripts need. */
export const TAG_SEPARATORS = String.raw`\u200c\u00b7\u30fb\uff65`;

/** The longest tag name, in UTF-16 units. */
export const MAX_TAG_LENGTH = 255;

const WHOLE_NAME = new RegExp(
  `^[${TAG_WORD}](?:[${TAG_WORD}${TAG_SEPARATORS}]*[${TAG_WORD}])?$`,
  "u",
);
const NOT_IN_NAME = new RegExp(`[^${TAG_WORD}${TAG_SEPARATORS}]`, "gu");

/** Whether `name`, without its #, can be a hashtag: not digits alone, nor separators alone. */
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

/** The name as people see it: as typed, without # and without characters no tag has. */
export const displayTag = (name: string): string => name.normalize("NFC").replace(NOT_IN_NAME, "");

/** Most names as they are asked for: nothing of what follows would change them. */
const PLAIN_KEY = /^[a-z0-9_]+$/;

/**
 * The key of a tag: `ÜnÏcode_1` and `unicode_1` are the same one. Width and case are folded for
 * every script, accents for Latin letters only: elsewhere they tell words apart (が and か).
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
