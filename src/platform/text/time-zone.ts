// Checks names of time zones (IANA) from browsers.

/** Returns the canonical name ("europe/berlin" is "Europe/Berlin"), or null for an unknown zone. */
export const knownTimeZone = (name: string | null | undefined): string | null => {
  if (!name) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};
