// An annual report was requested: it is made, and its owner notified.

import type { App } from "../platform/app.ts";
import type { AnnualWanted } from "../domain/annual/events.ts";
import { makeAnnual } from "../domain/annual/make.ts";
import { notify } from "../domain/notifications/notify.ts";

export const onAnnualReportWanted = async (app: App, wanted: AnnualWanted): Promise<void> => {
  await makeAnnual(app, wanted);
  const { accountId, year } = wanted;
  // Notified once, however often the job runs.
  await notify(app, app.sql, [
    { accountId, fromId: accountId, type: "annual_report", subjectId: String(year) },
  ]);
};
