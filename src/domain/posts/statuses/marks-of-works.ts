// Says in signs, since the reader's language is unknown, how long a video or recording plays, and how many stars a
// review gives.

import { textOf } from "../../../platform/json/read.ts";

const BEST = 5;

/** Returns `★★★★☆ 4/5`; nothing unless it is a number of stars of which five are the most (BookWyrm). */
export const starsOf = (rating: unknown): string[] => {
  if (typeof rating !== "number" || !(rating > 0 && rating <= BEST)) return [];
  const whole = Math.floor(rating);
  const half = rating > whole ? "½" : "";
  return [`${"★".repeat(whole)}${half}${"☆".repeat(BEST - Math.ceil(rating))} ${rating}/${BEST}`];
};

const ISO = /^PT(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d+)?S)?$/;

/** Returns `1:02:03` for a time of ISO 8601 (PeerTube) or a number of seconds (Funkwhale); nothing for none. */
export const lengthOf = (duration: unknown): string[] => {
  const [, hours, minutes, rest] = ISO.exec(textOf(duration) ?? "") ?? [];
  const said = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(rest ?? 0);
  const seconds = typeof duration === "number" ? Math.floor(duration) : said;
  if (!(seconds > 0 && seconds < 3600_000)) return [];
  const two = (n: number): string => String(n % 60).padStart(2, "0");
  const [hour, minute] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  return [`${hour ? `${hour}:${two(minute)}` : minute}:${two(seconds)}`];
};
