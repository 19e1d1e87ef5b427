// Names of locales, as apps and browsers send them, and texts in several languages.

/** The name if it has the form of a locale ("de", "pt-BR"), or null. */
export const knownLocale = (name: string | null | undefined): string | null =>
  name && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/.test(name) ? name : null;

/** "de-AT" is German. */
export const languageOf = (locale: string): string => locale.split("-")[0]!.toLowerCase();

/** `{name}` becomes the value of that name. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
