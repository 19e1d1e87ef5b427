// Normalises language tags as people, apps and other servers write them.
import { LANGUAGE_ALIASES, LANGUAGE_CODES, REGIONAL_LANGUAGES } from "./languages.ts";

// BCP 47 sets no maximum, but no longer tag names a listed language.
const MAX_TAG_LENGTH = 64;

const known = new Map<string, string>([
  ...Object.entries(LANGUAGE_ALIASES),
  ...[...LANGUAGE_CODES, ...REGIONAL_LANGUAGES].map((code) => [code.toLowerCase(), code] as const),
]);

/** Looks up the tag, then shorter and shorter prefixes of it (RFC 4647, "lookup"). */
const lookUp = (tag: string): string | null => {
  const lower = tag.toLowerCase();
  const whole = known.get(lower);
  if (whole !== undefined) return whole;
  const parts = lower.split("-");
  for (; parts.length > 0; parts.pop()) {
    const code = known.get(parts.join("-"));
    if (code !== undefined) return code;
  }
  return null;
};

/** Returns the current form of old and three-letter codes: "iw" is "he", "eng" is "en". */
const canonical = (tag: string): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
};

/** Returns the code to store for a BCP 47 tag ("en-US" is "en", "PT_br" is "pt-BR"), or null if unknown. */
export const normaliseLanguage = (tag: string | null | undefined): string | null => {
  const text = tag?.trim().replaceAll("_", "-") ?? "";
  if (text === "" || text.length > MAX_TAG_LENGTH) return null;
  const direct = lookUp(text);
  if (direct !== null) return direct;
  const other = canonical(text);
  return other === null ? null : lookUp(other);
};
