// A time that somebody writes, on this server or another: without a zone it is in UTC, wherever the machine stands.

/** ISO 8601, which JavaScript reads in UTC. */
const DATE = /^\d{4}(?:-\d\d){0,2}$/;
/** `Z`, `+02:00`, `-0700`, `GMT`; of RFC 822 also `EST` and its like. */
const ZONE =
  /(?:Z|UT|UTC|GMT|[ECMP][SD]T|:\d\d(?:\.\d+)?\s*[+-]\d\d(?::?\d\d)?|(?:UTC|GMT)?[+-]\d{4})\s*(?:\([^)]*\))?$/i;
/** ISO 8601 with its time, also with a space before it as databases write it. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/i;
/** JavaScript finds a time in nearly anything: these are times, with a year that is said. */
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

/** null: it is no time. */
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
