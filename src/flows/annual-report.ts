// A person asked to look back at a year: the report is made, and they are told that it is there.

import type { App } from "../platform/app.ts";
import type { AnnualWanted } from "../domain/annual/events.ts";
import { makeAnnual } from "../domain/annual/make.ts";
import { notify } from "../domain/notifications/notify.ts";

export const onAnnualReportWanted = async (app: App, wanted: AnnualWanted): Promise<void> => {
  await makeAnnual(app, wanted);
  const { accountId, year } = wanted;
  // Once, however often the job runs.
  await notify(app, app.sql, [
    { accountId, fromId: accountId, type: "annual_report", subjectId: String(year) },
  ]);
};
