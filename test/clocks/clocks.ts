// The clocks at which the tests of days, weeks and years run again. Any test runs at another one by `TEST_CLOCK=+30d
// TZ=Pacific/Kiritimati npm test path`.

export type ClockRun = { clock: string; zone: string };

/**
 * Clocks: a month ahead, at the last minute of a day in UTC, where it is still day; more than a year ahead, on a leap
 * day, where the next has begun.
 */
export const CLOCKS: ClockRun[] = [
  { clock: "+30d 23:59:00", zone: "America/Los_Angeles" },
  { clock: "02-29", zone: "Pacific/Kiritimati" },
];

/** Tests of what is counted by days, weeks or years, or holds until a date. */
export const DATED = [
  "src/domain/reading/annual/",
  "src/domain/reading/announcements/",
  "src/domain/about/instance/instance.test.ts",
  "src/domain/about/instance/texts.test.ts",
  "src/domain/reading/search/statuses.test.ts",
  "src/domain/posts/tags/",
  "src/domain/reading/trends/",
  "test/golden/replay.test.ts",
];

const PRELOAD = new URL("shifted-date.ts", import.meta.url).href;

/** Returns the environment and arguments of the processes of such a run. */
export const shifted = ({ clock, zone }: ClockRun) => ({
  env: { ...process.env, TEST_CLOCK: clock, TZ: zone },
  execArgv: [`--import=${PRELOAD}`],
});
