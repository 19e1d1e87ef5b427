// Sends notifications by mail, one job for each, except to people who have an app open.

import type { App } from "../../../platform/app.ts";
import { refundAttempt, tally } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { renderMail } from "../../../platform/mail/render.ts";
import type { Link, MailContent, Quotation } from "../../../platform/mail/render.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import type { Key, Say } from "../../../platform/text/texts.ts";
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
import { ALWAYS, MAIL_KINDS, ON_BY_DEFAULT, isMailKind, wantsMail } from "./kinds.ts";
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
export { claimStaff } from "./queries.ts";

/** Returns null for people who may get no mail, or want none of this kind. */
export const findAddressee = async (
  app: App,
  userId: string,
  kind: MailKind,
): Promise<Addressee | null> => {
  const addressee = await selectAddressee(app.sql, userId);
  return addressee && wantsMail(addressee.settings, kind) ? addressee : null;
};

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

type Content = Omit<MailContent, "language" | "from" | "footer"> & {
  /** Names of the mail and of its thread, for mail programs. */
  message: string;
  thread?: string | null;
};

/** Makes a mail, whose footer says why it was sent and how to end mails of this kind. */
export const makeMail = (
  app: App,
  { email: to, username: name, user_id: userId, locale }: Addressee,
  kind: MailKind,
  { message, thread = null, ...content }: Content,
): Mail => {
  const { t, language } = textsIn(locale);
  const { localDomain: from, origin } = app.config.site;
  const unsubscribe = unsubscribeUrl(app, userId, kind);
  const footer = {
    text: t(WHY[kind] ?? "mail.why", { name }),
    links: [
      { label: t("mail.settings"), url: `${origin}/settings/mail` },
      { label: t("mail.unsubscribe"), url: unsubscribe },
    ],
  };
  return {
    to,
    list: { id: `${kind}.${name}.${from}`, unsubscribe, message, thread },
    subject: content.title,
    ...renderMail({ ...content, language, from, footer }),
  };
};

const mailOf = async (
  app: App,
  view: NotificationView,
  addressee: Addressee,
  kind: MailKind,
): Promise<Mail> => {
  const { t } = textsIn(addressee.locale);
  const quotation = quotationOf(view);
  const about = view.status?.conversation_id;
  return makeMail(app, addressee, kind, {
    message: `notification.${view.id}`,
    thread: about ? `conversation.${about}.${addressee.username}` : null,
    title: titleOf(view.type, addressee.locale, nameOf(view.account)),
    paragraphs: quotation
      ? []
      : [...who(view), ...(await applicantLines(app, view, t)), ...reportLines(view, t)],
    ...(quotation && { quotations: [quotation] }),
    button: buttonOf(app, view, t),
  });
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
