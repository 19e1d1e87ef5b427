// The mail about a scheduled post that was refused at its time.

import type { App } from "../../platform/app.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { personMail } from "../people/mail.ts";
import { findSignUp, loadStaffRows } from "../people/staff.ts";
import "./events.ts";
import { selectScheduled } from "./queries-scheduled.ts";

/** The job `scheduled.refused`. */
export const onScheduledRefused = async (app: App, { id }: { id: string }): Promise<void> => {
  const row = await selectScheduled(app.sql, id);
  if (!row?.fault) return;
  const user = (await loadStaffRows(app, [row.account_id])).get(row.account_id);
  const person = await findSignUp(app, row.account_id);
  if (!user || !person) return;
  const texts = textsIn(user.locale);
  const title = texts.t("mail.scheduled_refused.title");
  const mail = personMail(app, texts, {
    title,
    name: person.username,
    text: [texts.t("mail.scheduled_refused.text", { why: row.fault })],
  });
  const { localDomain } = app.config.site;
  await app.mail.send({ to: user.email, subject: `${title} - ${localDomain}`, ...mail });
};
