// Ids, which are strings of 64-bit numbers, and the times that belong to them in the formats of the API.

/** Formats a time by RFC 3339 in UTC with milliseconds. */
export const isoTime = (date: Date): string => date.toISOString();

/** Formats the day alone, for `last_status_at`. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);

/** Formats midnight of the day, for accounts' `created_at`: the hour in which a person joined is private. */
export const isoMidnight = (date: Date): string => `${isoDate(date)}T00:00:00.000Z`;

const DAY_MS = 86_400_000;

export const addDays = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS);

/** Returns the lowest id of a moment (snowflake() of the schema in migrations/). */
export const idAt = (date: Date): string => String(BigInt(Math.max(0, date.getTime())) << 16n);

/** Returns when the row with this id was made; for a remote status, when it was published. */
export const timeOfId = (id: string): Date => new Date(Number(BigInt(id) >> 16n));

export const MAX_ID = "9223372036854775807";

/** Matches nearly all ids: they are short enough to fit into 64 bits without checking the value. */
const PLAIN_ID = /^[1-9]\d{0,17}$/;

/** Parses a 64-bit id from outside; null for anything else. */
export const parseId = (value: unknown): string | null => {
  if (typeof value === "string" && PLAIN_ID.test(value)) return value;
  if (typeof value !== "string" || !/^-?\d{1,19}$/.test(value)) return null;
  const number = BigInt(value);
  return number <= BigInt(MAX_ID) && number >= -BigInt(MAX_ID) ? String(number) : null;
};
