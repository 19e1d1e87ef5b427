// Lists the kinds of mails, each of which a person can switch off.

import type { Key } from "../../../platform/text/texts.ts";
import type { UserSettings } from "../../people/accounts/tables.ts";
import type { NotificationType } from "../notifications/tables.ts";

type Kind = {
  /** Name on the settings page. */
  label: Key;
  /** Default until the person chooses. */
  on: boolean;
  /** Whether only people who run the server get it. */
  staff?: true;
};

/** Notifications that are sent by mail, posts that wait for a decision, and summaries. */
export const KINDS = {
  mention: { label: "mails.mention", on: true },
  quote: { label: "mails.quote", on: true },
  follow: { label: "mails.follow", on: true },
  follow_request: { label: "mails.follow_request", on: true },
  favourite: { label: "mails.favourite", on: false },
  reblog: { label: "mails.reblog", on: false },
  poll: { label: "mails.poll", on: false },
  "admin.report": { label: "mails.admin_report", on: true, staff: true },
  "admin.sign_up": { label: "mails.admin_sign_up", on: true, staff: true },
  held: { label: "mails.held", on: true, staff: true },
  staff_digest: { label: "network.digest.setting", on: true, staff: true },
  digest: { label: "mails.digest", on: true },
  letter: { label: "mails.letter", on: false },
} satisfies Partial<Record<NotificationType | "digest" | "letter" | "held" | "staff_digest", Kind>>;

export type MailKind = keyof typeof KINDS;

export const MAIL_KINDS = Object.keys(KINDS) as MailKind[];

export const isMailKind = (text: string): text is MailKind => Object.hasOwn(KINDS, text);

/** Returns whether a person gets mails of the kind. */
export const wantsMail = (settings: UserSettings, kind: MailKind): boolean =>
  settings.mails?.[kind] ?? KINDS[kind].on;

/** Lists kinds that are on until a person chooses. */
export const ON_BY_DEFAULT = MAIL_KINDS.filter((kind) => KINDS[kind].on);

/** Name of the setting for mails to people who have an app open. */
export const ALWAYS = "always";

/** Name of the setting of authors whose posts visitors may get (subscriptions). */
export const SUBSCRIBERS = "subscribers";
