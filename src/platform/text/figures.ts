// Formats numbers, shares and sizes for pages and mails for the staff.

import type { Language } from "./texts.ts";

/** Formatters by language and kind; making one is slow. */
const formats = new Map<string, Intl.NumberFormat>();

const formatOf = (language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = `${language} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(language === "en" ? "en-GB" : language, options);
  formats.set(key, format);
  return format;
};

/** Formats `1,200`. */
export const numberText = (language: Language, value: number | bigint): string =>
  formatOf(language, {}).format(value);

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Formats `1.2 GB`. */
export const bytesText = (language: Language, bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000));
  const n = Math.min(UNITS.length - 1, power);
  const options = { style: "unit", unit: UNITS[n]!, maximumFractionDigits: n < 2 ? 0 : 1 } as const;
  return formatOf(language, options).format(bytes / 1000 ** n);
};
