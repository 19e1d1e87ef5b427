// Jobs that only send notifications: of annual reports and of sign-ups.

import type { App } from "../platform/app.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import type { AnnualWanted } from "../domain/reading/annual/events.ts";
import { makeAnnual } from "../domain/reading/annual/make.ts";
import { userManagers } from "../domain/staff/moderation/staff.ts";
import { notify } from "../domain/reading/notifications/notify.ts";

/** Makes a requested annual report and notifies its owner. */
export const onAnnualReportWanted = async (app: App, payload: AnnualWanted): Promise<void> => {
  await makeAnnual(app, payload);
  const { accountId, year } = payload;
  // The owner is notified once, however often the job runs.
  await notify(app, app.sql, [
    { accountId, fromId: accountId, type: "annual_report", subjectId: String(year) },
  ]);
};

/** Notifies those who manage users that somebody signed up and confirmed the address. */
export const onSignedUp: JobHandler<"user.signed_up"> = async (app, { accountId: fromId }) => {
  const staff = await userManagers(app);
  const type = "admin.sign_up" as const;
  await notify(
    app,
    app.sql,
    staff.map(({ account_id: accountId }) => ({ accountId, fromId, type })),
  );
};
