// Notifies members of new terms of service: at once by an announcement, and each by a mail.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Texts } from "../../../platform/text/texts.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { announce } from "../../reading/announcements/announce.ts";
import { mailPerson } from "../../people/users/mail.ts";
import { selectMember, selectMembers } from "./queries.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Enqueue mails about the terms of this day, a batch at a time, to members with a higher id. */
    "terms.mails": { day: string; after: string };
    "terms.mail": { day: string; userId: string };
  }
}

const BATCH = 500;

const valuesOf = ({ config }: App, { language }: Texts, day: string) => ({
  site: config.site.localDomain,
  day: new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeZone: "UTC",
  }).format(new Date(day)),
});

const addressOf = (app: App, day: string): string =>
  `${app.config.site.origin}/terms-of-service/${day}`;

/** Runs within the transaction that publishes them. The announcement is in the language of the server. */
export const notifyOfTerms = async (app: App, tx: Tx, day: string): Promise<void> => {
  const texts = textsIn(app.config.instance.locale);
  const sentence = texts.t("mail.terms.text", valuesOf(app, texts, day));
  await announce(app, tx, `${sentence}\n${addressOf(app, day)}`);
  await app.jobs.add(tx, "terms.mails", { day, after: "0" });
};

/** Handles `terms.mails`: enqueues a job for each of a batch, and one for the next batch. */
export const enqueueTermsMails: JobHandler<"terms.mails"> = async (app, { day, after }) =>
  app.sql.begin(async (tx) => {
    const ids = await selectMembers(tx, after, BATCH);
    const jobs = ids.map((userId) => ({ payload: { day, userId }, key: `terms:${day}:${userId}` }));
    if (jobs.length > 0) await app.jobs.addMany(tx, "terms.mail", jobs);
    if (ids.length === BATCH) await app.jobs.add(tx, "terms.mails", { day, after: ids.at(-1)! });
  }) as Promise<void>;

/** Handles `terms.mail`. Sends nothing to somebody who has left meanwhile. */
export const sendTermsMail: JobHandler<"terms.mail"> = async (app, { day, userId }) => {
  const member = await selectMember(app.sql, userId);
  if (!member) return;
  await mailPerson(app, member, (t, texts) => ({
    title: t("mail.terms.title"),
    text: [t("mail.terms.text", valuesOf(app, texts, day))],
    button: { label: t("mail.terms.button"), url: addressOf(app, day) },
  }));
};
