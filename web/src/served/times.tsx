// Writes times on the server's own pages in UTC, because the reader's time zone is not known.

import { useApp } from "../app.ts";
import { dayInUtc, momentInUtc } from "../text/time.ts";

export const When = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString()}>{momentInUtc(useApp().locale, at)}</time>
);

export const Day = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString().slice(0, 10)}>{dayInUtc(useApp().locale, at)}</time>
);
