// Sends the mail about an archive that can be downloaded.

import type { JobHandler } from "../../../../platform/jobs/table.ts";
import { mailPerson } from "../../../people/users/mail.ts";
import { findSignUp } from "../../../people/users/staff.ts";
import { selectArchive } from "./queries.ts";
import { ARCHIVE_DAYS } from "./request.ts";

/** Handles the job `archive.ready`. */
export const onArchiveReady: JobHandler<"archive.ready"> = async (app, { id }) => {
  const row = await selectArchive(app.sql, id);
  const person = row && (await findSignUp(app, row.account_id));
  if (!person) return;
  const { origin } = app.config.site;
  await mailPerson(app, person, (t) => ({
    title: t("mail.archive.title"),
    text: [t("mail.archive.text", { days: ARCHIVE_DAYS })],
    // Links to the page and not to the file, so that only somebody who has signed in can open it.
    button: { label: t("mail.archive.button"), url: `${origin}/settings/export` },
  }));
};
