// Chooses the languages of public timelines and public streams (not of hashtags): those that the viewer chose, or those
// of the current locale where the person or the server wants that: by default a server that is small or has several
// languages would seem empty. Posts without a language are always shown. In trends, which have all, they come first.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { acceptedRanges } from "../../../platform/http/accept-language.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { REGIONAL_LANGUAGES } from "../../../platform/text/languages.ts";
import { getSetting } from "../../base/settings/settings.ts";

/** A person's choice, as it is stored. */
export type LanguageChoice = {
  locale: string;
  settings: Readonly<Record<string, unknown>>;
};

const families = new Map<string, string[]>();
for (const code of REGIONAL_LANGUAGES) {
  const base = code.split("-")[0]!;
  families.set(base, [...(families.get(base) ?? [base]), code]);
}

/** Returns a language with its regional forms, since readers of pt-BR read pt; null for an unknown language. */
export const languageFamily = (locale: string): string[] | null => {
  const code = normaliseLanguage(locale);
  if (code === null) return null;
  const base = code.split("-")[0]!;
  const family = families.get(base) ?? [base];
  return family.includes(code) ? family : [...family, code];
};

/** Returns the languages of the first that names one; `*` names none. */
export const acceptedLanguages = (header: string | undefined): string[] | null => {
  if (!header || header === "*") return null;
  for (const range of acceptedRanges(header)) {
    const family = languageFamily(range);
    if (family) return family;
  }
  return null;
};

/** Returns null for no choice. */
export const chosenLanguages = ({ settings }: LanguageChoice): string[] | null => {
  const chosen = settings["chosen_languages"];
  return Array.isArray(chosen) && chosen.length > 0 ? (chosen as string[]) : null;
};

/** Returns whether people without a choice see only posts in their locale's language. */
const byLocale = (app: App): Promise<boolean> => getSetting(app, "languages_by_locale", false);

/** Returns the languages that a person is shown; null for all. */
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

const VARY = "Authorization, Accept-Language, Origin";

/** Returns those that come first: the viewer's choice, else those of the current locale; null where it is unknown. */
export const preferredLanguages = (
  request: FastifyRequest,
  reply: FastifyReply,
): string[] | null => {
  reply.header("vary", VARY);
  const viewer = request.credentials?.viewer;
  return viewer
    ? (chosenLanguages(viewer) ?? languageFamily(viewer.locale))
    : acceptedLanguages(request.headers["accept-language"]);
};

/** Returns the languages that the response to this request shows; null for all. Sets `Vary` for caches. */
export const shownLanguages = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string[] | null> => {
  const viewer = request.credentials?.viewer;
  if (viewer) return languagesOfPerson(app, viewer);
  if (!(await byLocale(app))) return null;
  reply.header("vary", VARY);
  return acceptedLanguages(request.headers["accept-language"]);
};
