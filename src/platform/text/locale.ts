// Reads names of locales from apps, browsers and terminals.

/** Returns the name if it has the form of a locale ("de", "pt-BR"), or null. */
export const knownLocale = (name: string | null | undefined): string | null =>
  name && /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/.test(name) ? name : null;

/** Returns the locale of a command line by its environment (POSIX): `de_AT.UTF-8` becomes "de-AT". */
export const terminalLocale = (env: Readonly<Record<string, string | undefined>>): string =>
  (env["LC_ALL"] || env["LC_MESSAGES"] || env["LANG"] || "")
    .replace(/[.@].*$/, "")
    .replaceAll("_", "-");
