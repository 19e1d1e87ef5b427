// Times in the formats of the API.

/** RFC 3339 in UTC with milliseconds. */
export const isoTime = (date: Date): string => date.toISOString();

/** The day alone, for `last_status_at`. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

/** Midnight of the day, for accounts' `created_at`: the hour in which a person joined is private. */
export const isoMidnight = (date: Date): string => `${isoDate(date)}T00:00:00.000Z`;
