// The commands `rookery terms …`.

import {
  COMMAND_LINE,
  ConfigError,
  allTerms,
  isoDate,
  publishTerms,
  readText,
  withApp,
} from "./uses.ts";
import { printRows } from "./print.ts";

export const listTerms = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const days = (await allTerms(app)).map(({ effective_date }) => ({ effective_date }));
    printRows(days, json, ({ effective_date: day }) => day);
  });

/** Whether it is a day that is over; other text is judged with the terms. */
const isBefore = (day: string, now: Date): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(day) && day < isoDate(now);

export const publishCommand = async (
  day: string,
  file: string,
  { tell = false, past = false }: { tell?: boolean; past?: boolean },
): Promise<void> => {
  if (tell && past) {
    throw new ConfigError("--tell and --past exclude each other: what is over is told to nobody.");
  }
  const text = await readText(file);
  return withApp(async (app) => {
    const isCorrection = (await allTerms(app)).some(({ effective_date: known }) => known === day);
    if (isBefore(day, app.clock.now()) && !past && !isCorrection) {
      throw new ConfigError(
        `${day} is in the past, when nobody could know of these terms: use today or a later date, or --past for a version that another server had then.`,
      );
    }
    await publishTerms(app, COMMAND_LINE, day, text, tell);
    console.log("OK");
  });
};
