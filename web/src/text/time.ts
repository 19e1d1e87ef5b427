// Formats times for people: how long ago in a list, the whole date on demand.

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
/** Days from which on the date is shown instead of their number. */
const DATE_AFTER_DAYS = 7;

type Format = Intl.DateTimeFormat | Intl.RelativeTimeFormat | Intl.NumberFormat;

/** Formatters by key; making one takes a thousand times as long as using it. */
const formats = new Map<string, Format>();

const cached = <T extends Format>(key: string, make: () => T): T => {
  const known = formats.get(key) as T | undefined;
  if (known) return known;
  const format = make();
  formats.set(key, format);
  return format;
};

/** The English of the texts is British, and so are its dates. */
const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale === "en" ? "en-GB" : locale, options);

const dateOf = (locale: string, time: Date, now: Date): string => {
  const isThisYear = time.getFullYear() === now.getFullYear();
  const options: Intl.DateTimeFormatOptions = isThisYear
    ? { month: "short", day: "numeric" }
    : { year: "numeric", month: "short", day: "numeric" };
  const key = `${locale} date ${isThisYear}`;
  return cached(key, () => dateFormat(locale, options)).format(time);
};

type Length = "narrow" | "long";

/** Formats how long ago (or until); the date after more than a week. */
const distanceOf = (length: Length, locale: string, iso: string, now: Date): string => {
  const time = new Date(iso);
  const seconds = (time.getTime() - now.getTime()) / 1000;
  // What was just set to end in a day ends in a day, not in 23 hours; what is past has its whole days and hours.
  const count = seconds > 0 ? Math.round : Math.floor;
  const distance = seconds > 0 ? 60 * count(seconds / 60) : -seconds;
  if (distance > DATE_AFTER_DAYS * 86_400) return dateOf(locale, time, now);
  const style = { style: length, numeric: "auto" } as const;
  const key = `${locale} ago ${length}`;
  const format = cached(key, () => new Intl.RelativeTimeFormat(locale, style));
  const step = STEPS.find(([, length]) => distance >= length);
  if (!step) return format.format(0, "second");
  return format.format(Math.sign(seconds) * count(distance / step[1]), step[0]);
};

/** Formats it in the fewest characters of the language. */
export const ago = (locale: string, iso: string, now = new Date()): string =>
  distanceOf("narrow", locale, iso, now);

/** Formats it in whole words, to be heard. */
export const agoInWords = (locale: string, iso: string, now = new Date()): string =>
  distanceOf("long", locale, iso, now);

/** Formats an age in the fewest characters: 5m; the date after more than a week. */
export const age = (locale: string, iso: string, now = new Date()): string => {
  const seconds = (now.getTime() - new Date(iso).getTime()) / 1000;
  const step = STEPS.find(([, length]) => seconds >= length);
  if (!step || seconds > DATE_AFTER_DAYS * 86_400) return ago(locale, iso, now);
  const [unit, length] = step;
  const style = { style: "unit", unit, unitDisplay: "narrow" } as const;
  const format = cached(`${locale} ${unit}`, () => new Intl.NumberFormat(locale, style));
  return format.format(Math.floor(seconds / length));
};

/** Formats the whole local date and time. */
export const moment = (locale: string, iso: string): string =>
  cached(`${locale} moment`, () =>
    dateFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  ).format(new Date(iso));

const SPAN = {
  weekday: "short",
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
} as const;

/** Formats a period with days of the week, and the zone once. */
export const span = (locale: string, from: string, to: string | null): string => {
  const format = cached(`${locale} span`, () => dateFormat(locale, SPAN));
  const zoned = cached(`${locale} zone`, () => dateFormat(locale, { timeZoneName: "short" }));
  const start = new Date(from);
  const zone = zoned.formatToParts(start).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const time = to ? format.formatRange(start, new Date(to)) : format.format(start);
  return `${time} (${zone})`;
};

const DAYS = {
  weekday: "short",
  year: "numeric",
  month: "long",
  day: "numeric",
  timeZone: "UTC",
} as const;

/** Formats whole days, which are the same in every zone. */
export const days = (locale: string, from: string, to: string | null): string => {
  const format = cached(`${locale} days`, () => dateFormat(locale, DAYS));
  const start = new Date(from);
  return to ? format.formatRange(start, new Date(to)) : format.format(start);
};

/** Formats the date alone. */
export const day = (locale: string, iso: string): string =>
  cached(`${locale} day`, () => dateFormat(locale, { dateStyle: "medium" })).format(new Date(iso));

const inUtc = (locale: string, kind: string, options: Intl.DateTimeFormatOptions) =>
  cached(`${locale} ${kind} UTC`, () =>
    dateFormat(locale, {
      dateStyle: "medium",
      timeZone: "UTC",
      ...options,
    }),
  );

/** Formats a date and time to the minute, for whom no time zone is known. */
export const momentInUtc = (locale: string, at: Date): string =>
  `${inUtc(locale, "moment", { timeStyle: "short" }).format(at)} UTC`;

export const dayInUtc = (locale: string, at: Date): string => inUtc(locale, "day", {}).format(at);

/** Formats "3 days", in the largest unit of which it is a whole number. */
export const duration = (locale: string, seconds: number): string => {
  const [unit, length] = STEPS.find(([, each]) => seconds % each === 0) ?? STEPS.at(-1)!;
  const style = { style: "unit", unit, unitDisplay: "long" } as const;
  const format = cached(`${locale} ${unit} long`, () => new Intl.NumberFormat(locale, style));
  return format.format(Math.round(seconds / length));
};

/** Formats 1,234 in full, and 12,345 as 12K. */
export const short = (locale: string, count: number): string =>
  count < 10_000
    ? cached(`${locale} number`, () => new Intl.NumberFormat(locale)).format(count)
    : cached(
        `${locale} short`,
        () => new Intl.NumberFormat(locale, { notation: "compact" }),
      ).format(count);
