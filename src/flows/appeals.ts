// What follows from appeals: mails to those who decide them, and to those who filed them.

import type { App } from "../platform/app.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { appealManagers } from "../domain/moderation/staff.ts";
import { personLetter } from "../domain/people/letter.ts";
import { loadStaffRows } from "../domain/people/staff.ts";
import { loadStrikes } from "../domain/strikes/strikes.ts";
import { STRIKE_WORDS } from "../domain/strikes/words.ts";

/** A job for each of them, so that none gets the mail again when another one's fails. */
export const onAppealFiled = async (
  app: App,
  { strikeId, to }: JobPayloads["appeal.filed"],
): Promise<void> => {
  if (!to) {
    const staff = await appealManagers(app);
    const jobs = staff.map(({ email, username }) => ({
      payload: { strikeId, to: { email, username } },
    }));
    return app.jobs.addMany(app.sql, "appeal.filed", jobs);
  }
  const strike = (await loadStrikes(app, [strikeId])).get(strikeId);
  if (!strike || strike.appeal_text === null) return;
  const { localDomain, origin } = app.config.site;
  const title = `@${strike.target.username} appeals a decision`;
  const letter = personLetter(app, {
    title,
    name: to.username,
    text: [`The decision: ${STRIKE_WORDS[strike.action].title}`, strike.appeal_text],
    button: { label: "Decide", url: `${origin}/admin/appeals` },
  });
  await app.mail.send({ to: to.email, subject: `${title} - ${localDomain}`, ...letter });
};

export const onAppealDecided = async (
  app: App,
  { strikeId }: JobPayloads["appeal.decided"],
): Promise<void> => {
  const strike = (await loadStrikes(app, [strikeId])).get(strikeId);
  const accountId = strike?.target_account_id ?? "";
  const user = strike && (await loadStaffRows(app, [accountId])).get(accountId);
  if (!strike || !user) return;
  const { localDomain, origin } = app.config.site;
  const approved = strike.appeal_approved === true;
  const title = approved ? "Your appeal was accepted" : "Your appeal was rejected";
  const letter = personLetter(app, {
    title,
    name: strike.target.username,
    text: [
      `The decision: ${STRIKE_WORDS[strike.action].title}`,
      approved
        ? "The moderators have taken it back. Posts that were deleted do not come back."
        : "The moderators have looked at it again, and it stays as it is.",
    ],
    button: { label: "View decision", url: `${origin}/disputes/strikes/${strikeId}` },
  });
  await app.mail.send({ to: user.email, subject: `${title} - ${localDomain}`, ...letter });
};
