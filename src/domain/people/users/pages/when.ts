// Writes times on pages to the minute, in UTC, because the reader's time zone is not known.

import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import type { Language } from "../../../../platform/text/texts.ts";

type Formats = { moment: Intl.DateTimeFormat; day: Intl.DateTimeFormat };

/** Caches formats for each language of the pages. */
const formats = new Map<string, Formats>();

const formatsOf = (language: string): Formats => {
  const known = formats.get(language);
  if (known) return known;
  const locale = language === "en" ? "en-GB" : language;
  const day = { dateStyle: "medium", timeZone: "UTC" } as const;
  const formatters = {
    moment: new Intl.DateTimeFormat(locale, { ...day, timeStyle: "short" }),
    day: new Intl.DateTimeFormat(locale, day),
  };
  formats.set(language, formatters);
  return formatters;
};

export const whenText = (at: Date, language: Language = "en"): Html =>
  html`<time datetime="${at.toISOString()}">${formatsOf(language).moment.format(at)} UTC</time>`;

/** `day` is YYYY-MM-DD. */
export const dayText = (day: string, language: Language): Html =>
  html`<time datetime="${day}">${formatsOf(language).day.format(new Date(day))}</time>`;
