// Names of locales, as apps and browsers send them, and texts in several languages.

/** The name if it has the form of a locale ("de", "pt-BR"), or null. */
export const knownLocale = (name: string | null | undefined): string | null =>
  name && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/.test(name) ? name : null;

/** Those in the language of the locale ("de-AT" is German), in English where there are no others. */
export const textsIn = <T>(
  all: Readonly<Record<string, T>>,
  english: T,
  locale: string,
): { language: string; words: T } => {
  const language = locale.split("-")[0]!.toLowerCase();
  const words = all[language];
  return words ? { language, words } : { language: "en", words: english };
};

/** `{name}` becomes the value of that name. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
