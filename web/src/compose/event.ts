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

/** Whether it would be over before anybody reads of it; who edits a posted one knows. */
export const isOver = ({ startsAt, endsAt, isPosted }: DraftEvent): boolean =>
  !isPosted && Date.parse(endsAt || startsAt) < Date.now();

/** Returns why the server would not accept it; null if it would. */
export const problemOf = ({ name, startsAt, endsAt, place }: DraftEvent): Key | null => {
  const length = Date.parse(endsAt) - Date.parse(startsAt);
  if (name.trim() === "") return "refusal.event_blank";
  if ([...name.trim()].length > MAX_NAME) return "refusal.event_name_long";
  if (momentOf(startsAt) === null) return "refusal.event_start";
  if (length <= 0) return "refusal.event_end";
  if (length > MAX_MS) return "refusal.event_year";
  return [...place.trim()].length > MAX_PLACE ? "refusal.event_place_long" : null;
};
