// Times as fields of a date have them: 2026-11-23T18:15, without a zone.

/** In the zone of this device. */
export const asLocal = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export const asUtc = (time: Date): string => time.toISOString().slice(0, 16);

/** The moment that such a local time names; null: it names none. */
export const momentOf = (local: string): string | null => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};
