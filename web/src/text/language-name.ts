// Names languages in the reader's language.

/** Returns undefined where there is no name for the code. */
export const languageName = (locale: string, code: string): string | undefined => {
  try {
    const name = new Intl.DisplayNames(locale, { type: "language" }).of(code);
    return name === code ? undefined : name;
  } catch {
    return undefined;
  }
};

type Language = { code: string; name: string };

/** Names and sorts them as the reader does; where there is no name, with the server's own. */
export const namedLanguages = (locale: string, languages: readonly Language[]): Language[] =>
  languages
    .map(({ code, name }) => ({ code, name: languageName(locale, code) ?? name }))
    .toSorted((a, b) => a.name.localeCompare(b.name, locale));
