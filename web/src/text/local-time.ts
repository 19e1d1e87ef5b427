// Converts times of date fields: 2026-11-23T18:15, without a zone.

/** Formats a time in the zone of this device. */
export const asLocal = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export const asUtc = (time: Date): string => time.toISOString().slice(0, 16);

/** Returns the moment of such a local time; null if it is invalid. */
export const momentOf = (local: string): string | null => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};
