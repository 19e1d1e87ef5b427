// When and where an event is, as text without words, as nobody knows the reader's language.

type Occasion = { startsAt: Date | null; endsAt: Date | null; place: string | null };

const timesOf = (start: Date, end: Date | null, timeZone: string): string => {
  // Of this language: 2026-12-31 23:59.
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

/** The time, and the place, as far as they are known. */
export const linesOf = (
  { startsAt, endsAt, place }: Occasion,
  timeZone: string | null = null,
): string[] => [
  ...(startsAt ? [timesOf(startsAt, endsAt, timeZone ?? "UTC")] : []),
  ...(place ? [place] : []),
];
