// Sends the mails about appeals: to those who decide them, and to those who filed them.

import type { Say } from "../platform/text/texts.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { appealManagers } from "../domain/staff/moderation/staff.ts";
import { mailPerson } from "../domain/people/users/mail.ts";
import { findSignUp } from "../domain/people/users/staff.ts";
import { loadStrikes } from "../domain/reading/strikes/strikes.ts";
import type { StrikeView } from "../domain/reading/strikes/tables.ts";

const named = (t: Say, { action }: StrikeView): string =>
  t("mail.decision.named", { decision: t(`decision.${action}.title`) });

/** Enqueues a job for each recipient, so that nobody gets the mail again when another one's fails. */
export const onAppealFiled: JobHandler<"appeal.filed"> = async (app, { strikeId, to }) => {
  if (!to) {
    const staff = await appealManagers(app);
    const jobs = staff.map(({ email, username, locale }) => ({
      payload: { strikeId, to: { email, username, locale } },
    }));
    return app.jobs.addMany(app.sql, "appeal.filed", jobs);
  }
  const strike = (await loadStrikes(app, [strikeId])).get(strikeId);
  if (!strike || strike.appeal_text === null) return;
  const { appeal_text: text, target } = strike;
  const { origin } = app.config.site;
  await mailPerson(app, to, (t) => ({
    title: t("mail.appeal_filed.title", { name: target.username }),
    text: [named(t, strike), text],
    button: { label: t("mail.decide"), url: `${origin}/admin/appeals` },
  }));
};

export const onAppealDecided: JobHandler<"appeal.decided"> = async (app, { strikeId }) => {
  const strike = (await loadStrikes(app, [strikeId])).get(strikeId);
  const person = strike && (await findSignUp(app, strike.target_account_id));
  if (!strike || !person) return;
  const { origin } = app.config.site;
  const kind = strike.appeal_approved === true ? "appeal_accepted" : "appeal_rejected";
  await mailPerson(app, person, (t) => ({
    title: t(`mail.${kind}.title`),
    text: [named(t, strike), t(`mail.${kind}.text`)],
    button: { label: t("mail.decision.button"), url: `${origin}/disputes/strikes/${strikeId}` },
  }));
};
