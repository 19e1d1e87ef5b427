// How far the clock of this process is ahead of the real one. TEST_CLOCK says where it starts: "+30d",
// "23:59:00" (of today, UTC) or "02-29" (noon of the next one there is).

const DAY_MS = 86_400_000;

const nextLeapDay = (now: number): number => {
  let year = new Date(now).getUTCFullYear();
  const noon = () => Date.UTC(year, 1, 29, 12);
  while (new Date(noon()).getUTCDate() !== 29 || noon() < now) year += 1;
  return noon();
};

const startOf = (clock: string, now: number): number => {
  const [, days] = /^\+(\d+)d$/.exec(clock) ?? [];
  if (days) return now + Number(days) * DAY_MS;
  if (clock === "02-29") return nextLeapDay(now);
  return Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${clock}Z`);
};

const offsetOf = (clock: string | undefined): number => {
  const now = Date.now();
  const offset = clock ? startOf(clock, now) - now : 0;
  if (Number.isNaN(offset)) throw new Error(`TEST_CLOCK=${clock} is no clock`);
  return offset;
};

/** In milliseconds. */
export const CLOCK_OFFSET = offsetOf(process.env["TEST_CLOCK"]);
