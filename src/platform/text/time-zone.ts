// Checks names of time zones (IANA) from browsers, and parses times of day as people and browsers write them (`7:05` or
// `07:05`).

/** Returns minutes after midnight; null for anything but a time of day. */
export const minutesOfDay = (text: string | null | undefined): number | null => {
  const match = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text ?? "");
  return match ? Number(match[1]) * 60 + Number(match[2]) : null;
};

/** Returns the stored form, with two digits each; null for anything but a time of day. */
export const timeOfDay = (text: string | null | undefined): string | null =>
  minutesOfDay(text) === null ? null : text!.padStart(5, "0");

/** Returns the canonical name ("europe/berlin" is "Europe/Berlin"), or null for an unknown zone. */
export const knownTimeZone = (name: string | null | undefined): string | null => {
  if (!name) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
};
