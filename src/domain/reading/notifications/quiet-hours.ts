// Computes quiet hours, until whose end push messages and mails about notifications wait. Without I/O; the jobs that
// send ask once each (push/send.ts, mails/send.ts), and the notifications themselves are visible at once.

import { minutesOfDay } from "../../../platform/text/time-zone.ts";

/** A person's local times as `22:30`, and their time zone. */
export type QuietHours = {
  settings: { quiet_from?: string | null; quiet_until?: string | null };
  time_zone: string | null;
};

const MINUTE_MS = 60_000;
const DAY = 24 * 60;

const localMinutes = (now: Date, zone: string | null): number => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone ?? "UTC",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return minutesOfDay(format.format(now))!;
};

/**
 * Returns when the quiet hours of this moment are over; null where there are none now. It is an hour off where the
 * clocks change in between: a job that is early asks again, and waits once more.
 */
export const quietUntil = ({ settings, time_zone: zone }: QuietHours, now: Date): Date | null => {
  const [from, until] = [minutesOfDay(settings.quiet_from), minutesOfDay(settings.quiet_until)];
  if (from === null || until === null || from === until) return null;
  const at = localMinutes(now, zone);
  const length = (until - from + DAY) % DAY;
  const since = (at - from + DAY) % DAY;
  if (since >= length) return null;
  const start = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(start + (length - since) * MINUTE_MS);
};
