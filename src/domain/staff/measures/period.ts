// Reads the days for which figures are requested.

import { instantOf } from "../../../platform/time.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { Period } from "./queries.ts";

const DAY_MS = 86_400_000;
/** Days of the longest period; nobody can read the figures of more. */
const MAX_DAYS = 400;

export const midnight = (date: Date): Date =>
  new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS);

/** Throws 422 for text that is no date. */
const readDate = (text: string | undefined, fallback: Date): Date => {
  if (text === undefined || text === "") return fallback;
  const isDate = /^\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?$/.test(text);
  const date = instantOf(text);
  const year = date?.getUTCFullYear() ?? Number.NaN;
  if (isDate && date && year >= 2000 && year <= 2200) return date;
  throw new Unprocessable("Invalid date supplied");
};

/** Returns whole days, both named ones included. */
export const readPeriod = (start: string | undefined, end: string | undefined, now: Date) => {
  const last = midnight(readDate(end, now));
  const first = midnight(readDate(start, addDays(last, -29)));
  const from = first > last ? last : first;
  const earliest = addDays(last, 1 - MAX_DAYS);
  return { from: from < earliest ? earliest : from, to: addDays(last, 1) };
};

export const daysOf = ({ from, to }: Period): Date[] => {
  const days: Date[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) days.push(day);
  return days;
};

/** Returns a period of the same length, right before. */
export const periodBefore = ({ from, to }: Period): Period => ({
  from: new Date(from.getTime() - (to.getTime() - from.getTime())),
  to: from,
});

/** Returns whether a day cannot change any more; today and later days are not stored. */
export const isOver = (day: Date, now: Date): boolean => addDays(day, 1) <= midnight(now);
