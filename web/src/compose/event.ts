// The event that a draft announces.

import { asLocal, momentOf } from "../text/local-time.ts";
import type { Key } from "../texts/texts.ts";

/** Times have the form of date fields. */
export type DraftEvent = {
  name: string;
  startsAt: string;
  /** "" when no end is stated. */
  endsAt: string;
  place: string;
  /** True for a posted event, which stays one. */
  isPosted?: boolean;
};

export const MAX_NAME = 200;
export const MAX_PLACE = 300;
const DAY_MS = 86_400_000;
const MAX_MS = 366 * DAY_MS;

/** Returns an event that begins tomorrow at the next full hour. */
export const newEvent = (): DraftEvent => {
  const start = new Date(Date.now() + DAY_MS);
  start.setMinutes(60, 0, 0);
  return { name: "", startsAt: asLocal(start), endsAt: "", place: "" };
};

/** The event as the API has it; parts of an incomplete draft may be missing. */
export type SentEvent = {
  name?: string | null;
  starts_at?: string | null;
  ends_at?: string | null;
  place?: string | null;
};

const localOf = (time: string | null | undefined): string => {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? "" : asLocal(new Date(at));
};

export const draftEvent = ({ name, starts_at, ends_at, place }: SentEvent): DraftEvent => ({
  name: name ?? "",
  startsAt: localOf(starts_at),
  endsAt: localOf(ends_at),
  place: place ?? "",
});

export const eventBody = ({ name, startsAt, endsAt, place }: DraftEvent): SentEvent => ({
  name: name.trim(),
  starts_at: momentOf(startsAt),
  ends_at: momentOf(endsAt),
  place: place.trim() || null,
});

/** Returns why the server would not accept it; null if it would. */
export const problemOf = ({ name, startsAt, endsAt }: DraftEvent): Key | null => {
  const length = Date.parse(endsAt) - Date.parse(startsAt);
  if (name.trim() === "") return "compose.event_needs_name";
  if (momentOf(startsAt) === null) return "compose.event_needs_start";
  if (length <= 0) return "compose.event_ends_first";
  return length > MAX_MS ? "compose.event_too_long" : null;
};
