// rookery terms …

import { allTerms, publishTerms } from "../domain/instance/terms.ts";
import { COMMAND_LINE } from "../domain/roles/permissions.ts";
import { readText } from "./read-text.ts";
import { withApp } from "./session.ts";

export const listTerms = (): Promise<void> =>
  withApp(async (app) => {
    for (const { effective_date: day } of await allTerms(app)) console.log(day);
  });

export const publishCommand = async (day: string, file: string): Promise<void> => {
  const text = await readText(file);
  return withApp(async (app) => {
    await publishTerms(app, COMMAND_LINE, day, text);
    console.log("OK");
  });
};
