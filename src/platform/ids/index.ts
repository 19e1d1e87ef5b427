// Times in the formats of the API, and the ids that belong to them.

/** RFC 3339 in UTC with milliseconds. */
export const isoTime = (date: Date): string => date.toISOString();

/** The day alone, for `last_status_at`. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

/** Midnight of the day, for accounts' `created_at`: the hour in which a person joined is private. */
export const isoMidnight = (date: Date): string => `${isoDate(date)}T00:00:00.000Z`;

const DAY_MS = 86_400_000;

export const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS);

/** The lowest id of a moment (snowflake() in migrations/0001-accounts.sql). */
export const idAt = (date: Date): string => String(BigInt(Math.max(0, date.getTime())) << 16n);

/** When the row of this id was made; of a remote status when it was published. */
export const timeOfId = (id: string): Date => new Date(Number(BigInt(id) >> 16n));
