// The mails that a person can switch off, each by itself.

import type { Key } from "../../../platform/text/texts.ts";
import type { UserSettings } from "../../people/accounts/tables.ts";
import type { NotificationType } from "../notifications/tables.ts";

type Kind = {
  /** As the settings page names it. */
  label: Key;
  /** Until the person chooses. */
  on: boolean;
  /** Only who runs the server gets it. */
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

/** What is on for a person. */
export const wantsMail = (settings: UserSettings, kind: MailKind): boolean =>
  settings.mails?.[kind] ?? KINDS[kind].on;

/** Those that are on until a person chooses. */
export const ON_BY_DEFAULT = MAIL_KINDS.filter((kind) => KINDS[kind].on);

/** Whether they are also sent to somebody who has an app open. */
export const ALWAYS = "always";
