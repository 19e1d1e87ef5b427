// Computes months of a person's calendar, as `2026-10`, and when they begin in a time zone. Without I/O.

export type Month = string;

export const isMonth = (text: string): boolean => /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/.test(text);

const firstDay = (month: Month): Date => new Date(`${month}-01T00:00:00.000Z`);

/** Returns the month `count` months later, or earlier. */
export const addMonths = (month: Month, count: number): Month => {
  const day = firstDay(month);
  day.setUTCMonth(day.getUTCMonth() + count);
  return day.toISOString().slice(0, 7);
};

/** Returns the local time in the zone, as if it were UTC. */
const localTime = (at: Date, zone: string): Date => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return new Date(`${format.format(at).replace(" ", "T")}.000Z`);
};

export const monthAt = (at: Date, zone: string | null): Month =>
  localTime(at, zone ?? "UTC")
    .toISOString()
    .slice(0, 7);

const DAY = 86_400_000;

/** Returns when the month begins there: where clocks change about then, its first moment. */
export const startOf = (month: Month, zone: string | null): Date => {
  const midnight = firstDay(month).getTime();
  const offsetAt = (time: number) => localTime(new Date(time), zone ?? "UTC").getTime() - time;
  const moments = [midnight - DAY, midnight + DAY].map((time) => midnight - offsetAt(time));
  const [first] = moments
    .toSorted((a, b) => a - b)
    .filter((time) => monthAt(new Date(time), zone) === month);
  return new Date(first ?? midnight);
};

export const monthText = (month: Month, language: string): string =>
  new Intl.DateTimeFormat(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    firstDay(month),
  );
