// Sends emails that notify people of changes to how they sign in.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Say } from "../../../platform/text/texts.ts";
import type { SecurityEvent, SecurityNotice } from "./events.ts";
import { mailPerson } from "./mail.ts";
import { selectAddress } from "./queries.ts";

const advice = (origin: string, t: Say) => ({
  question: t("mail.not_you.question"),
  button: { label: t("mail.not_you.button"), url: `${origin}/auth/password/new` },
  after: t("mail.not_you.after", { address: `${origin}/settings` }),
});

/** Handles the job: sends one mail to one address. */
export const sendSecurityNotice = async (app: App, notice: SecurityNotice): Promise<void> => {
  const { event, to: email, other } = notice;
  const { origin } = app.config.site;
  await mailPerson(app, { ...notice, email }, (t) => {
    const { question, ...rest } =
      event === "account-deleted" ? { question: t("mail.not_you_gone") } : advice(origin, t);
    return {
      title: t(`mail.security.${event}.title`),
      text: [t(`mail.security.${event}.text`, { name: other ?? "" }), question],
      ...rest,
    };
  });
};

/** Enqueues the mail within `db`'s transaction, to the current address. */
export const noticeOf = async (
  app: App,
  db: Db,
  userId: string,
  event: SecurityEvent,
  other?: string,
): Promise<void> => {
  const person = await selectAddress(db, userId);
  if (!person) return;
  const { username, email, locale } = person;
  await app.jobs.add(db, "user.security_notice", {
    username,
    to: email,
    locale,
    event,
    ...(other && { other }),
  });
};
