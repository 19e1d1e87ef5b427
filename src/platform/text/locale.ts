// Checks names of locales from apps and browsers.

/** Returns the name if it has the form of a locale ("de", "pt-BR"), or null. */
export const knownLocale = (name: string | null | undefined): string | null =>
  name && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/.test(name) ? name : null;
