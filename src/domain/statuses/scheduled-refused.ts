// The mail about a scheduled post that was refused at its time.

import type { App } from "../../platform/app.ts";
import { fill } from "../../platform/text/locale.ts";
import { personMail } from "../people/mail.ts";
import { mailTextsIn } from "../people/mail-texts/texts.ts";
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
  const texts = mailTextsIn(user.locale);
  const { title, text } = texts.words.scheduledRefused;
  const mail = personMail(app, texts, {
    title,
    name: person.username,
    text: [fill(text, { why: row.fault })],
  });
  const { localDomain } = app.config.site;
  await app.mail.send({ to: user.email, subject: `${title} - ${localDomain}`, ...mail });
};
