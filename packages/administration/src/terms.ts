// The commands `rookery terms …`.

import {
  COMMAND_LINE,
  allTerms,
  publishTerms,
  readText,
  withApp,
} from "../../../src/for-packages/administration.ts";
import { printRows } from "./print.ts";

export const listTerms = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) => {
    const days = (await allTerms(app)).map(({ effective_date }) => ({ effective_date }));
    printRows(days, json, ({ effective_date: day }) => day);
  });

export const publishCommand = async (
  day: string,
  file: string,
  { tell = false }: { tell?: boolean },
): Promise<void> => {
  const text = await readText(file);
  return withApp(async (app) => {
    await publishTerms(app, COMMAND_LINE, day, text, tell);
    console.log("OK");
  });
};
