// Sends the mails about appeals: to those who decide them, and to those who filed them.

import { textsIn } from "../platform/text/texts.ts";
import type { Say } from "../platform/text/texts.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { appealManagers } from "../domain/staff/moderation/staff.ts";
import { personMail } from "../domain/people/users/mail.ts";
import { loadStaffRows } from "../domain/people/users/staff.ts";
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
  const { origin } = app.config.site;
  const texts = textsIn(to.locale);
  const title = texts.t("mail.appeal_filed.title", { name: strike.target.username });
  const mail = personMail(app, texts, {
    title,
    name: to.username,
    text: [named(texts.t, strike), strike.appeal_text],
    button: { label: texts.t("mail.decide"), url: `${origin}/admin/appeals` },
  });
  await app.mail.send({ to: to.email, subject: title, ...mail });
};

export const onAppealDecided: JobHandler<"appeal.decided"> = async (app, { strikeId }) => {
  const strike = (await loadStrikes(app, [strikeId])).get(strikeId);
  const accountId = strike?.target_account_id ?? "";
  const user = strike && (await loadStaffRows(app, [accountId])).get(accountId);
  if (!strike || !user) return;
  const { origin } = app.config.site;
  const texts = textsIn(user.locale);
  const { t } = texts;
  const kind = strike.appeal_approved === true ? "appeal_accepted" : "appeal_rejected";
  const title = t(`mail.${kind}.title`);
  const mail = personMail(app, texts, {
    title,
    name: strike.target.username,
    text: [named(t, strike), t(`mail.${kind}.text`)],
    button: { label: t("mail.decision.button"), url: `${origin}/disputes/strikes/${strikeId}` },
  });
  await app.mail.send({ to: user.email, subject: title, ...mail });
};
