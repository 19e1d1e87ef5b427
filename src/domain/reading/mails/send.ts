// Sends notifications by mail, one job for each, except to people who have an app open.

import type { App } from "../../../platform/app.ts";
import { refundAttempt, tally } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { renderMail } from "../../../platform/mail/render.ts";
import type { Link, MailContent, Quotation } from "../../../platform/mail/render.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Key, Say, Texts } from "../../../platform/text/texts.ts";
import { acct } from "../../people/accounts/present.ts";
import type { NotificationCreated } from "../notifications/events.ts";
import { findSignUp } from "../../people/users/staff.ts";
import { findNotifications } from "../notifications/load.ts";
import type { NotificationView } from "../notifications/tables.ts";
import { quietUntil } from "../notifications/quiet-hours.ts";
import { nameOf, postText } from "../notifications/texts.ts";
import { shorten } from "../../../platform/text/cut.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { titleOf } from "../notifications/titles.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import { withListeners } from "../timelines/streams.ts";
import "./events.ts";
import { ALWAYS, MAIL_KINDS, ON_BY_DEFAULT, isMailKind } from "./kinds.ts";
import type { MailKind } from "./kinds.ts";
import { selectAddressee, selectRecipient, selectWanted } from "./queries.ts";
import type { Addressee } from "./queries.ts";
import { unsubscribeUrl } from "./unsubscribe.ts";

/** Limit of mails to a person; further notifications are in the app, and in the summary. */
const PER_PERSON: Limit = { name: "mail:person", by: "person", count: 20, seconds: 3600 };
/** Milliseconds after which a mail is not sent any more. */
const LIFETIME_MS = 2 * 86_400_000;
const MAX_TEXT = 1000;

export type { Addressee };

/** Returns null for people who may get no mail. */
export const findAddressee = (app: App, userId: string): Promise<Addressee | null> =>
  selectAddressee(app.sql, userId);

const keyOf = (notificationId: string): string => `mail:${notificationId}`;

const later = (app: App, notificationId: string, at: Date): Promise<void> =>
  app.jobs.add(
    app.sql,
    "mail.notification",
    { notificationId },
    { runAt: at, key: keyOf(notificationId) },
  );

/** Enqueues a job for each notification that is wanted by mail, as a step of `notification.created`. */
export const enqueueMails = async (app: App, created: NotificationCreated[]): Promise<void> => {
  const kinds = { all: MAIL_KINDS, on: ON_BY_DEFAULT };
  const ids = await selectWanted(
    app.sql,
    created.map(({ id }) => id),
    kinds,
  );
  if (ids.length === 0) return;
  const jobs = ids.map((id) => ({ payload: { notificationId: id }, key: keyOf(id) }));
  await app.jobs.addMany(app.sql, "mail.notification", jobs);
};

export const quotationOf = ({ status, account }: NotificationView): Quotation | null => {
  if (!status) return null;
  const author = status.account ?? account;
  return {
    name: `${nameOf(author)} (@${acct(author)})`,
    text: shorten(postText(status), MAX_TEXT),
  };
};

/** Links mails to the staff to the page of the decision, because nobody sees the profile of a person who waits. */
const buttonOf = (app: App, view: NotificationView, t: Say): Link => {
  const { status, report, account, type } = view;
  const desk = `${app.config.site.origin}/admin`;
  if (report) return { label: t("mail.decide"), url: `${desk}/reports/${report.id}` };
  if (type === "admin.sign_up") {
    return { label: t("mail.profile"), url: `${desk}/accounts/${account.id}` };
  }
  if (status) return { label: t("mail.post"), url: status.url ?? status.uri };
  return { label: t("mail.profile"), url: account.url };
};

/** Returns what the staff read of a report before they open it. */
const reportLines = ({ report }: NotificationView, t: Say): string[] => {
  if (!report) return [];
  const facts = [
    t("mail.report.target", { target: `@${acct(report.target)}` }),
    t("mail.report.reason", { reason: t(`notify.report.${report.category}`) }),
    t("mail.report.posts", { count: report.status_ids.length }),
  ];
  return [facts.join("\n"), ...(report.comment ? [shorten(report.comment, MAX_TEXT)] : [])];
};

/** Returns what an applicant wrote, where a moderator decides. */
const applicantLines = async (app: App, view: NotificationView, t: Say): Promise<string[]> => {
  const applicant =
    view.type === "admin.sign_up" ? await findSignUp(app, view.from_account_id) : null;
  if (!applicant || applicant.approved) return [];
  const reason = applicant.reason ? [shorten(applicant.reason, MAX_TEXT)] : [];
  return [t("mail.applicant", { address: applicant.email }), ...reason];
};

const who = ({ account }: NotificationView): string[] => [`${nameOf(account)} (@${acct(account)})`];

const WHY: Partial<Record<MailKind, Key>> = {
  digest: "mail.digest_why",
  letter: "mail.letter_why",
  staff_digest: "network.digest.why",
};

/** Makes the footer, which says why the mail was sent and how to end such mails. */
export const footerOf = (
  app: App,
  { username, user_id: userId }: Addressee,
  kind: MailKind,
  { t }: Texts,
): NonNullable<MailContent["footer"]> => ({
  text: t(WHY[kind] ?? "mail.why", { name: username }),
  links: [
    { label: t("mail.settings"), url: `${app.config.site.origin}/settings/mail` },
    { label: t("mail.unsubscribe"), url: unsubscribeUrl(app, userId, kind) },
  ],
});

/** Returns what a mail of this kind has besides its text: address, threading, and the link that ends such mails. */
export const envelopeOf = (
  app: App,
  { email, username, user_id: userId }: Addressee,
  kind: MailKind,
  ids: { message: string; thread: string | null },
): Pick<Mail, "to" | "list"> & { list: NonNullable<Mail["list"]> } => ({
  to: email,
  list: {
    id: `${kind}.${username}.${app.config.site.localDomain}`,
    unsubscribe: unsubscribeUrl(app, userId, kind),
    message: ids.message,
    thread: ids.thread,
  },
});

const mailOf = async (
  app: App,
  view: NotificationView,
  addressee: Addressee,
  kind: MailKind,
): Promise<Mail> => {
  const texts = textsIn(addressee.locale);
  const title = titleOf(view.type, addressee.locale, nameOf(view.account));
  const quotation = quotationOf(view);
  const content: MailContent = {
    language: texts.language,
    from: app.config.site.localDomain,
    title,
    paragraphs: quotation
      ? []
      : [
          ...who(view),
          ...(await applicantLines(app, view, texts.t)),
          ...reportLines(view, texts.t),
        ],
    ...(quotation && { quotations: [quotation] }),
    button: buttonOf(app, view, texts.t),
    footer: footerOf(app, addressee, kind, texts),
  };
  const about = view.status?.conversation_id;
  const thread = about ? `conversation.${about}.${addressee.username}` : null;
  return {
    ...envelopeOf(app, addressee, kind, { message: `notification.${view.id}`, thread }),
    subject: title,
    ...renderMail(content),
  };
};

/** Returns whether an app of theirs is open, where they see the notification at once. */
const isWatching = async (app: App, accountId: string): Promise<boolean> =>
  (await withListeners(app, [{ channel: userChannel(accountId) }])).length > 0;

/** Sends within the limit of the person; attempts while the mail server is unreachable do not count. */
export const sendCounted = async (app: App, userId: string, mail: Mail): Promise<void> => {
  if ((await tally(app, PER_PERSON, userId)).over) return;
  try {
    await app.mail.send(mail);
  } catch (error) {
    await refundAttempt(app, PER_PERSON, userId);
    throw error;
  }
};

/** Handles `mail.notification`. A notification that was dismissed, hidden or deleted since is not sent. */
export const sendNotificationMail: JobHandler<"mail.notification"> = async (
  app,
  { notificationId },
) => {
  const addressee = await selectRecipient(app.sql, notificationId);
  if (!addressee) return;
  const quiet = quietUntil(addressee, app.clock.now());
  if (quiet) return later(app, notificationId, quiet);
  const always = addressee.settings.mails?.[ALWAYS] ?? false;
  if (!always && (await isWatching(app, addressee.account_id))) return;
  const [view] = await findNotifications(app, [notificationId]);
  if (!view || !isMailKind(view.type)) return;
  if (app.clock.now().getTime() - view.created_at.getTime() > LIFETIME_MS) return;
  const mail = await mailOf(app, view, addressee, view.type);
  await sendCounted(app, addressee.user_id, mail);
};
