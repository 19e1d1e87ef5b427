// Parses times that people or other servers write: without a zone they are in UTC, whatever the machine's zone.

/** An ISO 8601 date, which JavaScript reads in UTC. */
const DATE = /^\d{4}(?:-\d\d){0,2}$/;
/** A time zone: `Z`, `+02:00`, `-0700`, `GMT`; from RFC 822 also `EST` and similar. */
const ZONE =
  /(?:Z|UT|UTC|GMT|[ECMP][SD]T|:\d\d(?:\.\d+)?\s*[+-]\d\d(?::?\d\d)?|(?:UTC|GMT)?[+-]\d{4})\s*(?:\([^)]*\))?$/i;
/** ISO 8601 with a time, also with a space before it as databases write it. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/i;
/** Texts that count as times: JavaScript finds a time in nearly anything, so a year is required. */
const NUMBERS = /^(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?(?!\d)/;
const NAMES =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?(?:\d\d?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s.,].*(?<![\d:+-])\d{4}(?!\d)/i;

const isDay = (year: number, month: number, day: number): boolean =>
  day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

const isTime = (text: string): boolean => {
  const [isNumbers, year, month = 1, day = 1] = NUMBERS.exec(text) ?? [];
  return isNumbers === undefined
    ? NAMES.test(text)
    : isDay(Number(year), Number(month), Number(day));
};

/** Returns the moment, or null if the text is no time. */
export const instantOf = (written: string): Date | null => {
  const text = written.trim();
  if (!isTime(text)) return null;
  const iso = ISO.exec(text);
  const zoned = iso
    ? `${iso[1]}T${iso[2]}Z`
    : DATE.test(text) || ZONE.test(text)
      ? text
      : `${text} UTC`;
  const time = new Date(zoned);
  return Number.isNaN(time.getTime()) ? null : time;
};
