// Times and ids as the API writes them.

/** RFC 3339 in UTC with milliseconds. */
export const isoTime = (date: Date): string => date.toISOString();

/** The day alone, as `last_status_at` has it. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

/** Midnight of the day, as accounts' `created_at` has it (the hour of joining is nobody's business). */
export const isoMidnight = (date: Date): string => `${isoDate(date)}T00:00:00.000Z`;
