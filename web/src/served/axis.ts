// Numbers of charts: the steps of their axis, and how values are written.

/** Number of lines above zero. */
export const STEPS = 4;

/** Returns the distance between two lines: 1, 2, 2.5 or 5 times a power of ten, so that all values fit. */
export const stepOf = (most: number): number => {
  const least = Math.max(1, most) / STEPS;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= least) ?? 10;
  return Math.max(1, factor * power);
};

/** Formatters by language and kind; making one is slow. */
const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, known);
  return known;
};

/** What is not known is no zero. */
export const countText = (locale: string, value: number | null, unknown: string): string =>
  value === null ? unknown : formatOf(locale, {}).format(value);

/** Formats `1.2M`. */
export const shortText = (locale: string, value: number): string =>
  formatOf(locale, { notation: "compact", maximumFractionDigits: 1 }).format(value);

/** Formats 0.123 as `12.3%`. */
export const shareText = (locale: string, share: number): string =>
  formatOf(locale, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 }).format(share);
