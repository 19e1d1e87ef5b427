// Answers a post that is a calendar event.

import type { Status } from "../api/entities.ts";

export type PostEvent = NonNullable<Status["event"]>;
export type EventAnswer = NonNullable<PostEvent["answer"]>;

export const ANSWERS: readonly EventAnswer[] = ["yes", "maybe", "no"];

const counted = (event: PostEvent, answer: EventAnswer | null, by: 1 | -1): Partial<PostEvent> => {
  if (!answer) return {};
  const name = `${answer}_count` as const;
  return { [name]: Math.max(0, event[name] + by) };
};

/** Returns the calendar event after the person's answer; null takes it back. */
export const withAnswer = (event: PostEvent, answer: EventAnswer | null): PostEvent => {
  const without = { ...event, ...counted(event, event.answer, -1) };
  return { ...without, ...counted(without, answer, 1), answer };
};
