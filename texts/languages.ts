// The languages of the catalogue. Mails and notifications are in any of them, pages in those that have every message.

export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  ja: "日本語",
  nl: "Nederlands",
  pl: "Polski",
  pt: "Português",
} as const;

export type Language = keyof typeof LANGUAGES;

/** In which pages are: one that mixes languages is hard to read, and to listen to. */
export const PAGE_LANGUAGES = ["en", "de"] as const satisfies Language[];

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

export const ALL_LANGUAGES = Object.keys(LANGUAGES) as Language[];

/** The first of the preferred languages ("de-AT" is German) that is offered, otherwise English. */
export const chooseLanguage = <Offered extends Language>(
  preferred: readonly string[],
  offered: readonly Offered[],
): Offered | "en" => {
  for (const tag of preferred) {
    const language = tag.toLowerCase().split("-", 1)[0]!;
    const found = offered.find((one) => one === language);
    if (found) return found;
  }
  return "en";
};
