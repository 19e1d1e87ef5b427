// The emails that notify people of changes to how they sign in.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { fill } from "../../platform/text/locale.ts";
import type { SecurityEvent, SecurityNotice } from "./events.ts";
import { personMail } from "./mail.ts";
import { mailTextsIn } from "./mail-texts/texts.ts";
import type { MailTexts } from "./mail-texts/shape.ts";
import { selectAddress } from "./queries.ts";

const advice = (origin: string, { notYou }: MailTexts) => ({
  question: notYou.question,
  button: { label: notYou.button, url: `${origin}/auth/password/new` },
  after: fill(notYou.after, { address: `${origin}/settings` }),
});

/** Job: one mail to one address. */
export const sendSecurityNotice = async (app: App, notice: SecurityNotice): Promise<void> => {
  const texts = mailTextsIn(notice.locale);
  const { title, text } = texts.words.security[notice.event];
  const { localDomain, origin } = app.config.site;
  const { question, ...rest } =
    notice.event === "account-deleted"
      ? { question: texts.words.notYouGone }
      : advice(origin, texts.words);
  await app.mail.send({
    to: notice.to,
    subject: `${title} - ${localDomain}`,
    ...personMail(app, texts, {
      title,
      name: notice.username,
      text: [text, question],
      ...rest,
    }),
  });
};

/** Enqueues the mail within `db`'s transaction, to the current address. */
export const noticeOf = async (
  app: App,
  db: Db,
  userId: string,
  event: SecurityEvent,
): Promise<void> => {
  const person = await selectAddress(db, userId);
  if (!person) return;
  const { username, email, locale } = person;
  await app.jobs.add(db, "user.security_notice", { username, to: email, locale, event });
};
