// Computes by how much this process's clock is ahead of the real one. TEST_CLOCK says where it starts: "+30d",
// "23:59:00" (of today, UTC), both ("+30d 23:59:00"), or "02-29" (noon of the next one after a year).

const DAY_MS = 86_400_000;

const leapDayAfterAYear = (now: number): number => {
  let year = new Date(now).getUTCFullYear();
  const noon = () => Date.UTC(year, 1, 29, 12);
  while (new Date(noon()).getUTCDate() !== 29 || noon() < now + 366 * DAY_MS) year += 1;
  return noon();
};

const startOf = (clock: string, now: number): number => {
  if (clock === "02-29") return leapDayAfterAYear(now);
  const [, days = "0", time] = /^(?:\+(\d+)d)? ?(\d\d:\d\d:\d\d)?$/.exec(clock) ?? ["", "none"];
  const day = now + Number(days) * DAY_MS;
  return time ? Date.parse(`${new Date(day).toISOString().slice(0, 10)}T${time}Z`) : day;
};

const offsetOf = (clock: string | undefined): number => {
  const now = Date.now();
  const offset = clock ? startOf(clock, now) - now : 0;
  if (Number.isNaN(offset)) throw new Error(`TEST_CLOCK=${clock} is no clock`);
  return offset;
};

/** Milliseconds by which the clock is ahead. */
export const CLOCK_OFFSET = offsetOf(process.env["TEST_CLOCK"]);
