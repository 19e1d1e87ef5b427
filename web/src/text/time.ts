// Formats times for people: how long ago in a list, the whole date on demand.

type Unit = "day" | "hour" | "minute";
const STEPS: [unit: Unit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
/** Days from which on the date is shown instead of their number. */
const DATE_AFTER_DAYS = 7;

/** Returns what makes a formatter for each language once; making one takes a thousand times as long as using it. */
const once = <T>(make: (locale: string) => T): ((locale: string) => T) => {
  const known = new Map<string, T>();
  return (locale) => {
    const format = known.get(locale) ?? make(locale);
    known.set(locale, format);
    return format;
  };
};

/** The English of the texts is British, and so are its dates. */
const dates = (options: Intl.DateTimeFormatOptions) =>
  once((locale) => new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, options));

const DATE = { month: "short", day: "numeric" } as const;
const dateInYear = dates(DATE);
const dateWithYear = dates({ ...DATE, year: "numeric" });

const dateOf = (locale: string, time: Date, now: Date): string =>
  (time.getFullYear() === now.getFullYear() ? dateInYear : dateWithYear)(locale).format(time);

type Width = "narrow" | "short" | "long";

const distances = (style: Width) =>
  once((locale) => new Intl.RelativeTimeFormat(locale, { style, numeric: "auto" }));
const [inNarrow, inBrief, inWords] = [distances("narrow"), distances("short"), distances("long")];

/**
 * The narrowest form of French, Russian and Swedish, "+3 h", fits into no sentence, and that of German, "in 3 m", has
 * another word than an age, "3 Min.".
 */
const inShort = once((locale) => {
  const narrow = inNarrow(locale).format(3, "minute");
  const isAsAge = narrow.includes(ages.minute(locale).format(3)) && !/^[+−-]/.test(narrow);
  return (isAsAge ? inNarrow : inBrief)(locale);
});

/** Formats how long ago (or until); the date after more than a week. */
const distanceOf = (formatOf: typeof inWords, locale: string, iso: string, now: Date): string => {
  const time = new Date(iso);
  const seconds = (time.getTime() - now.getTime()) / 1000;
  // What was just set to end in a day ends in a day, not in 23 hours; what is past has its whole days and hours.
  const count = seconds > 0 ? Math.round : Math.floor;
  const distance = seconds > 0 ? 60 * count(seconds / 60) : -seconds;
  if (distance > DATE_AFTER_DAYS * 86_400) return dateOf(locale, time, now);
  const format = formatOf(locale);
  const step = STEPS.find(([, length]) => distance >= length);
  if (!step) return format.format(0, "second");
  return format.format(Math.sign(seconds) * count(distance / step[1]), step[0]);
};

/** Formats it in the fewest characters of the language. */
export const ago = (locale: string, iso: string, now = new Date()): string =>
  distanceOf(inShort, locale, iso, now);

/** Formats it in whole words, to be heard. */
export const agoInWords = (locale: string, iso: string, now = new Date()): string =>
  distanceOf(inWords, locale, iso, now);

/** Returns formatters of "3 days" for each unit. */
const lengths = (formatOf: (locale: string, unit: Unit) => Intl.NumberFormat) => {
  const of = (unit: Unit) => once((locale) => formatOf(locale, unit));
  return { day: of("day"), hour: of("hour"), minute: of("minute") };
};

const lengthOf = (unitDisplay: Width) => (locale: string, unit: Unit) =>
  new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay });

const hasLatin = (format: Intl.NumberFormat): boolean => /[a-z]/i.test(format.format(3));

/** The narrowest form of Japanese and Persian has English letters, "3m", where the next has their own. */
const ageOf = (locale: string, unit: Unit): Intl.NumberFormat => {
  const [narrow, brief] = [lengthOf("narrow")(locale, unit), lengthOf("short")(locale, unit)];
  return hasLatin(narrow) && !hasLatin(brief) ? brief : narrow;
};

const [ages, durations] = [lengths(ageOf), lengths(lengthOf("long"))];

/** Formats an age in the fewest characters: 5m; the date after more than a week. */
export const age = (locale: string, iso: string, now = new Date()): string => {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1000;
  const step = STEPS.find(([, length]) => seconds >= length);
  if (!step || seconds > DATE_AFTER_DAYS * 86_400) return ago(locale, iso, now);
  const [unit, length] = step;
  return ages[unit](locale).format(Math.floor(seconds / length));
};

/** Returns what differs whenever `age`, `ago` or `agoInWords` of the same time do. */
export const ageStep = (iso: string, now: Date): string => {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1000;
  if (Math.abs(seconds) > DATE_AFTER_DAYS * 86_400) return `of ${now.getFullYear()}`;
  // What is to come is rounded by minutes, and the date of what comes late needs the year.
  if (seconds < 0) return `${Math.round(seconds / 60)} of ${now.getFullYear()}`;
  const [unit, length] = STEPS.find(([, each]) => seconds >= each) ?? ["now", Infinity];
  return `${Math.floor(seconds / length)} ${unit}`;
};

const moments = dates({ dateStyle: "medium", timeStyle: "short" });

/** Formats the whole local date and time. */
export const moment = (locale: string, iso: string): string =>
  moments(locale).format(new Date(iso));

const DAYS = { weekday: "short", year: "numeric", month: "long", day: "numeric" } as const;
const spans = dates({ ...DAYS, hour: "numeric", minute: "2-digit" });
const zones = dates({ timeZoneName: "short" });

/** Formats a period with days of the week, and the zone once. */
export const span = (locale: string, from: string, to: string | null): string => {
  const format = spans(locale);
  const start = new Date(from);
  const parts = zones(locale).formatToParts(start);
  const zone = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const time = to ? format.formatRange(start, new Date(to)) : format.format(start);
  return `${time} (${zone})`;
};

const daysInUtc = dates({ ...DAYS, timeZone: "UTC" });

/** Formats whole days, which are the same in every zone. */
export const days = (locale: string, from: string, to: string | null): string => {
  const format = daysInUtc(locale);
  const start = new Date(from);
  return to ? format.formatRange(start, new Date(to)) : format.format(start);
};

const wholeDates = dates({ dateStyle: "medium" });

/** Formats the date alone. */
export const day = (locale: string, iso: string): string =>
  wholeDates(locale).format(new Date(iso));

const UTC = { dateStyle: "medium", timeZone: "UTC" } as const;
const momentsInUtc = dates({ ...UTC, timeStyle: "short" });
const wholeDatesInUtc = dates(UTC);

/** Formats a date and time to the minute, for whom no time zone is known. */
export const momentInUtc = (locale: string, at: Date): string =>
  `${momentsInUtc(locale).format(at)} UTC`;

export const dayInUtc = (locale: string, at: Date): string => wholeDatesInUtc(locale).format(at);

/** Formats "3 days", in the largest unit of which it is a whole number. */
export const duration = (locale: string, seconds: number): string => {
  const [unit, length] = STEPS.find(([, each]) => seconds % each === 0) ?? STEPS.at(-1)!;
  return durations[unit](locale).format(Math.round(seconds / length));
};

const numbers = once((locale) => new Intl.NumberFormat(locale));
const shortNumbers = once((locale) => new Intl.NumberFormat(locale, { notation: "compact" }));

/** Formats 1,234 in full, and 12,345 as 12K. */
export const short = (locale: string, count: number): string =>
  (count < 10_000 ? numbers : shortNumbers)(locale).format(count);
