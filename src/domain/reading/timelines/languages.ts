// Which languages public timelines, trends and public streams show, hashtags not: those that the viewer chose;
// where none is chosen, the current locale's, unless the person or the server turned that off.
// Posts without a language are always shown.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { acceptedRanges } from "../../../platform/http/accept-language.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { REGIONAL_LANGUAGES } from "../../../platform/text/languages.ts";
import { getSetting } from "../../base/settings/settings.ts";

/** What a person has chosen, as it is stored. */
export type LanguageChoice = {
  locale: string;
  settings: Readonly<Record<string, unknown>>;
};

const families = new Map<string, string[]>();
for (const [code] of REGIONAL_LANGUAGES) {
  const base = code.split("-")[0]!;
  families.set(base, [...(families.get(base) ?? [base]), code]);
}

/** A language with its regional forms: who reads pt-BR reads pt. Null for an unknown language. */
export const languageFamily = (locale: string): string[] | null => {
  const code = normaliseLanguage(locale);
  if (code === null) return null;
  const base = code.split("-")[0]!;
  const family = families.get(base) ?? [base];
  return family.includes(code) ? family : [...family, code];
};

/** The languages of the first that names one; `*` names none. */
export const acceptedLanguages = (header: string | undefined): string[] | null => {
  if (!header || header === "*") return null;
  for (const range of acceptedRanges(header)) {
    const family = languageFamily(range);
    if (family) return family;
  }
  return null;
};

/** Null: none. */
export const chosenLanguages = ({ settings }: LanguageChoice): string[] | null => {
  const chosen = settings["chosen_languages"];
  return Array.isArray(chosen) && chosen.length > 0 ? (chosen as string[]) : null;
};

/** Whether posts in other languages than the locale's are left out for those who chose none. */
const byLocale = (app: App): Promise<boolean> => getSetting(app, "languages_by_locale", true);

/** Those that a person is shown; null: all. */
export const languagesOfPerson = async (
  app: App,
  person: LanguageChoice,
): Promise<string[] | null> => {
  const chosen = chosenLanguages(person);
  if (chosen) return chosen;
  const own = person.settings["languages_by_locale"];
  const isOn = typeof own === "boolean" ? own : await byLocale(app);
  return isOn ? languageFamily(person.locale) : null;
};

/** Those of the current locale, whatever was chosen; null: it is unknown. */
export const preferredLanguages = (request: FastifyRequest): string[] | null => {
  const viewer = request.credentials?.viewer;
  return viewer
    ? languageFamily(viewer.locale)
    : acceptedLanguages(request.headers["accept-language"]);
};

/** Those that the answer to this request shows; null: all. Sets `Vary` for caches. */
export const shownLanguages = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string[] | null> => {
  const viewer = request.credentials?.viewer;
  if (viewer) return languagesOfPerson(app, viewer);
  if (!(await byLocale(app))) return null;
  reply.header("vary", "Authorization, Accept-Language, Origin");
  return acceptedLanguages(request.headers["accept-language"]);
};
