// Checks what a calendar event may contain, and until when people may answer it.

import { Unprocessable } from "../../../platform/errors.ts";
import { countGraphemes } from "../../../platform/text/count.ts";
import { sanitiseName } from "../../../platform/text/plain.ts";
import type { EventRow, NewEvent } from "./tables.ts";

const EVENT_LIMITS = { name: 200, place: 300 };

const DAY_MS = 24 * 3600_000;
/** Milliseconds from its start to its end. */
export const MAX_EVENT_MS = 366 * DAY_MS;
const MAX_AHEAD_MS = 50 * MAX_EVENT_MS;
const MAX_UNITS_PER_CHARACTER = 20;

/** An event as clients send it. */
export type EventDraft = {
  name?: string | null | undefined;
  starts_at?: string | null | undefined;
  ends_at?: string | null | undefined;
  place?: string | null | undefined;
};

const invalid = (what: string) => new Unprocessable(`Validation failed: Event ${what}`);

/** Returns null where it is longer. */
const lineOf = (text: string, max: number): string | null => {
  const line = sanitiseName(text, text.length);
  const isLong = line.length > max * MAX_UNITS_PER_CHARACTER || countGraphemes(line) > max;
  return isLong ? null : line;
};

/** Matches RFC 3339; a time without a zone would depend on the server's. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

const timeOf = (text: string): Date | null => {
  const at = new Date(TIME.test(text) ? text : Number.NaN);
  return at.getTime() >= 0 ? at : null;
};

const endOf = (text: string, start: Date): Date => {
  const end = timeOf(text);
  if (!end) throw invalid("end is not a valid time");
  if (end <= start) throw invalid("end must be after its start");
  if (end.getTime() - start.getTime() > MAX_EVENT_MS)
    throw invalid("end must be within a year of its start");
  return end;
};

/** Throws 422 for an invalid event. */
export const checkEvent = (draft: EventDraft, now: Date): NewEvent => {
  const name = lineOf(draft.name ?? "", EVENT_LIMITS.name);
  if (name === null) throw invalid(`name can't be longer than ${EVENT_LIMITS.name} characters`);
  if (name === "") throw invalid("name can't be blank");
  const startsAt = timeOf(draft.starts_at ?? "");
  if (!startsAt) throw invalid("start is not a valid time");
  if (startsAt.getTime() - now.getTime() > MAX_AHEAD_MS)
    throw invalid("start is too far into the future");
  const endsAt = draft.ends_at ? endOf(draft.ends_at, startsAt) : null;
  const place = lineOf(draft.place ?? "", EVENT_LIMITS.place);
  if (place === null) throw invalid(`place can't be longer than ${EVENT_LIMITS.place} characters`);
  return { name, startsAt, endsAt, place: place || null };
};

type Times = { starts_at: Date | string; ends_at: Date | string | null };

/** An event without an end is over a day after it began. */
export const isOver = ({ starts_at: start, ends_at: end }: Times, now: Date): boolean =>
  now.getTime() >= (end ? new Date(end).getTime() : new Date(start).getTime() + DAY_MS);

/** Returns whether an edit changes the event; undefined leaves it alone. */
export const changesEvent = (before: EventRow | null, next: NewEvent | undefined): boolean => {
  if (next === undefined) return false;
  if (before === null) return true;
  const end = before.ends_at === null ? null : Date.parse(before.ends_at);
  return (
    before.name !== next.name ||
    before.place !== next.place ||
    Date.parse(before.starts_at) !== next.startsAt.getTime() ||
    end !== (next.endsAt?.getTime() ?? null)
  );
};
