// Names of time zones (IANA), as people's browsers send them.

/** The name as it is stored ("europe/berlin" is "Europe/Berlin"), or null for what is none. */
export const knownTimeZone = (name: string | null | undefined): string | null => {
  if (!name) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};
