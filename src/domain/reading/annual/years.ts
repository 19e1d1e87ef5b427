// Knows the years of which reports can be made, without I/O.

const FIRST_YEAR = 2007;
/** The day from which a year's report is offered. https://docs.joinmastodon.org/methods/annual_reports/ */
const OFFERED_FROM = { month: 11, day: 10 };

/** Reads a year of four digits; returns null for other text. */
export const parseYear = (text: string): number | null => {
  if (!/^\d{4}$/.test(text)) return null;
  const year = Number(text);
  return year >= FIRST_YEAR ? year : null;
};

/** Returns the year that is offered to everybody at the moment, or null. */
export const offeredYear = (now: Date): number | null =>
  now.getUTCMonth() === OFFERED_FROM.month && now.getUTCDate() >= OFFERED_FROM.day
    ? now.getUTCFullYear()
    : null;

/** Returns whether the year is over, or nearly so. */
export const canLookBack = (year: number, now: Date): boolean =>
  year < now.getUTCFullYear() || year === offeredYear(now);

export const spanOf = (year: number): { from: Date; to: Date } => ({
  from: new Date(Date.UTC(year, 0, 1)),
  to: new Date(Date.UTC(year + 1, 0, 1)),
});
