// Row types of the events slice.

export const ANSWERS = ["yes", "maybe", "no"] as const;
export type Answer = (typeof ANSWERS)[number];

/** An event as it is loaded with its status. */
export type EventRow = {
  name: string;
  /** ISO 8601. */
  starts_at: string;
  /** ISO 8601; null where there is no end. */
  ends_at: string | null;
  place: string | null;
  yes_count: number;
  maybe_count: number;
  no_count: number;
};

export type EventView = EventRow & {
  /** The viewer's answer; null for none, or without a viewer. */
  answer: Answer | null;
};

/** An event ready to be stored. */
export type NewEvent = {
  name: string;
  startsAt: Date;
  endsAt: Date | null;
  place: string | null;
};
