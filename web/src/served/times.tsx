// Writes times on the server's own pages to the minute, in UTC, because the reader's time zone is not known.

import { useApp } from "../app.ts";

type Formats = { moment: Intl.DateTimeFormat; day: Intl.DateTimeFormat };

/** Formats for each language of the pages; making one takes a thousand times as long as using it. */
const formats = new Map<string, Formats>();

const formatsOf = (language: string): Formats => {
  const known = formats.get(language);
  if (known) return known;
  const locale = language === "en" ? "en-GB" : language;
  const day = { dateStyle: "medium", timeZone: "UTC" } as const;
  const made = {
    moment: new Intl.DateTimeFormat(locale, { ...day, timeStyle: "short" }),
    day: new Intl.DateTimeFormat(locale, day),
  };
  formats.set(language, made);
  return made;
};

export const When = ({ at }: { at: Date }) => {
  const { locale } = useApp();
  return <time dateTime={at.toISOString()}>{formatsOf(locale).moment.format(at)} UTC</time>;
};

export const Day = ({ at }: { at: Date }) => {
  const { locale } = useApp();
  return <time dateTime={at.toISOString().slice(0, 10)}>{formatsOf(locale).day.format(at)}</time>;
};
