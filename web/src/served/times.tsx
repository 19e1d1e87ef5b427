// Writes times on the server's own pages in UTC, because the reader's time zone is not known; where scripts run, they
// say it in that of the device (browser/own-zone.ts), with this one as the title.

import { useApp } from "../app.ts";
import { dayInUtc, momentInUtc } from "../text/time.ts";

export const When = ({ at }: { at: Date }) => {
  const text = momentInUtc(useApp().locale, at);
  return (
    <time dateTime={at.toISOString()} title={text}>
      {text}
    </time>
  );
};

export const Day = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString().slice(0, 10)}>{dayInUtc(useApp().locale, at)}</time>
);
