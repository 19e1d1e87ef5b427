// Sends the mail about an archive that can be downloaded.

import type { JobHandler } from "../../../../platform/jobs/table.ts";
import { textsIn } from "../../../../platform/text/texts.ts";
import { personMail } from "../../../people/users/mail.ts";
import { findSignUp, loadStaffRows } from "../../../people/users/staff.ts";
import { selectArchive } from "./queries.ts";
import { ARCHIVE_DAYS } from "./request.ts";

/** Handles the job `archive.ready`. */
export const onArchiveReady: JobHandler<"archive.ready"> = async (app, { id }) => {
  const row = await selectArchive(app.sql, id);
  const user = row && (await loadStaffRows(app, [row.account_id])).get(row.account_id);
  const person = row && (await findSignUp(app, row.account_id));
  if (!user || !person) return;
  const { origin } = app.config.site;
  const texts = textsIn(user.locale);
  const { t } = texts;
  const title = t("mail.archive.title");
  const mail = personMail(app, texts, {
    title,
    name: person.username,
    text: [t("mail.archive.text", { days: ARCHIVE_DAYS })],
    // Links to the page and not to the file, so that only somebody who has signed in can open it.
    button: { label: t("mail.archive.button"), url: `${origin}/settings/export` },
  });
  await app.mail.send({ to: user.email, subject: title, ...mail });
};
