// The languages of the catalogue, by their own names. Each has every message: what mixes languages is hard to read, and
// to listen to.

export const LANGUAGES = {
  en: "English",
  ar: "العربية",
  ca: "Català",
  cs: "Čeština",
  de: "Deutsch",
  el: "Ελληνικά",
  eo: "Esperanto",
  es: "Español",
  fa: "فارسی",
  fi: "Suomi",
  fr: "Français",
  gl: "Galego",
  he: "עברית",
  hu: "Magyar",
  id: "Bahasa Indonesia",
  it: "Italiano",
  ja: "日本語",
  ko: "한국어",
  nl: "Nederlands",
  pl: "Polski",
  "pt-BR": "Português (Brasil)",
  ru: "Русский",
  sv: "Svenska",
  tr: "Türkçe",
  uk: "Українська",
  vi: "Tiếng Việt",
  "zh-CN": "简体中文",
  "zh-TW": "繁體中文",
} as const;

export type Language = keyof typeof LANGUAGES;

export const ALL_LANGUAGES = Object.keys(LANGUAGES) as Language[];

/** Returns the likely language and script of a tag (Unicode TR 35, likely subtags); null for what is no tag. */
const likely = (tag: string): Intl.Locale | null => {
  try {
    return new Intl.Locale(tag).maximize();
  } catch {
    return null;
  }
};

/** Those that are offered, with their likely scripts and regions, by language: Chinese has two. */
const OFFERED = Map.groupBy(
  ALL_LANGUAGES.map((language) => ({ language, tag: likely(language)! })),
  ({ tag }) => tag.language,
);

/** How near two tags of one language are: zh-HK is nearer to zh-TW, in the same script, than to zh-CN. */
const nearness = (one: Intl.Locale, other: Intl.Locale): number =>
  2 * Number(one.script === other.script) + Number(one.region === other.region);

/** The first of the preferred languages that is offered, itself or a relative (German for "de-AT"), otherwise English. */
export const chooseLanguage = (preferred: readonly string[]): Language => {
  for (const name of preferred) {
    const wanted = likely(name);
    const [first, ...others] = OFFERED.get(wanted?.language ?? "") ?? [];
    if (!wanted || !first) continue;
    const isNearer = (one: typeof first, other: typeof first): boolean =>
      nearness(wanted, one.tag) > nearness(wanted, other.tag);
    return others.reduce((best, one) => (isNearer(one, best) ? one : best), first).language;
  }
  return "en";
};
