// Writes an event as a file for calendars. https://www.rfc-editor.org/rfc/rfc5545

import { storedText } from "../platform/text/plain.ts";
import type { SeenStatus } from "../domain/posts/statuses/tables.ts";
import { postUrl } from "./components.ts";

/** Formats a time in UTC: `20260131T120000Z`. */
const utc = (time: string | Date): string =>
  new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");

/** Escapes text (section 3.3.11). */
const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (character) => `\\${character}`).replaceAll(/\r\n|\r|\n/g, "\\n");

const MAX_BYTES = 75;

/** Folds lines (section 3.1): at most 75 bytes, with a space before continued ones; no character is cut. */
const folded = (line: string): string => {
  const lines = [""];
  let bytes = 0;
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (bytes + more > MAX_BYTES) {
      lines.push(" ");
      bytes = 1;
    }
    lines[lines.length - 1] += character;
    bytes += more;
  }
  return lines.join("\r\n");
};

type Event = NonNullable<SeenStatus["event"]>;

/** Returns the calendar; the text behind a content warning is not included. */
export const eventCalendar = (view: SeenStatus, event: Event): string => {
  const text = view.spoiler_text || storedText(view.content);
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Rookery//EN",
    "BEGIN:VEVENT",
    `UID:${escaped(view.uri)}`,
    `DTSTAMP:${utc(view.edited_at ?? view.created_at)}`,
    `DTSTART:${utc(event.starts_at)}`,
    ...(event.ends_at ? [`DTEND:${utc(event.ends_at)}`] : []),
    `SUMMARY:${escaped(event.name)}`,
    ...(event.place ? [`LOCATION:${escaped(event.place)}`] : []),
    ...(text ? [`DESCRIPTION:${escaped(text)}`] : []),
    `URL:${postUrl(view)}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ];
  return lines.map(folded).join("\r\n");
};
