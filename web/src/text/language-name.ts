// Names languages in the reader's language.

/** Returns undefined where there is no name for the code; a browser that lacks the locale would say it in another. */
export const languageName = (locale: string, code: string): string | undefined => {
  try {
    if (Intl.DisplayNames.supportedLocalesOf(locale).length === 0) return undefined;
    const name = new Intl.DisplayNames(locale, { type: "language" }).of(code);
    return name === code ? undefined : name;
  } catch {
    return undefined;
  }
};
