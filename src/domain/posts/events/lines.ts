// Describes a calendar event as text for software that knows none: time and place without words, because the reader's
// language is unknown.

import { escapeHtml } from "../../../platform/text/html.ts";
import { EVENT_LINE } from "../../../platform/text/sanitise.ts";
import type { EventRow } from "./tables.ts";

type Occasion = { startsAt: Date | null; endsAt: Date | null; place: string | null };

const timesOf = (start: Date, end: Date | null, timeZone: string): string => {
  // Formats times as this language does: 2026-12-31 23:59.
  const format = new Intl.DateTimeFormat("sv", {
    dateStyle: "short",
    timeStyle: "short",
    timeZone,
  });
  const first = format.format(start);
  const last = end && end > start ? format.format(end) : null;
  const [day, time] = last?.split(" ") ?? [];
  const until = last === null ? "" : ` – ${first.startsWith(day!) ? time! : last}`;
  return `${first}${until} (${timeZone})`;
};

/** Returns the time and the place, as far as they are known. */
export const linesOf = (
  { startsAt, endsAt, place }: Occasion,
  timeZone: string | null = null,
): string[] => [
  ...(startsAt ? [timesOf(startsAt, endsAt, timeZone ?? "UTC")] : []),
  ...(place ? [place] : []),
];

export const linesOfRow = ({ starts_at: start, ends_at: end, place }: EventRow): string[] =>
  linesOf({ startsAt: new Date(start), endsAt: end === null ? null : new Date(end), place });

/** Precedes the text of a post; clients that show the event leave it out. */
export const eventHead = (name: string, lines: string[]): string =>
  [`<strong>${escapeHtml(name)}</strong>`, lines.map(escapeHtml).join("<br>")]
    .filter((line) => line !== "")
    .map((line) => `<p class="${EVENT_LINE}">${line}</p>`)
    .join("");
