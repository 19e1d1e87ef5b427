// The mails that a person can switch off, each by itself.

import type { UserSettings } from "../accounts/tables.ts";
import type { NotificationType } from "../notifications/tables.ts";

type Kind = {
  /** As the settings page names it. */
  label: string;
  /** Until the person chooses. */
  on: boolean;
  /** Only who runs the server gets it. */
  staff?: true;
};

/** Notifications that are sent by mail, and the summary after an absence. */
export const KINDS = {
  mention: { label: "Someone mentions me", on: true },
  quote: { label: "Someone quotes my post", on: true },
  follow: { label: "Someone follows me", on: true },
  follow_request: { label: "Someone asks to follow me", on: true },
  favourite: { label: "Someone favourites my post", on: false },
  reblog: { label: "Someone boosts my post", on: false },
  poll: { label: "A poll that I voted in or created ends", on: false },
  "admin.report": { label: "Someone files a report", on: true, staff: true },
  "admin.sign_up": { label: "Someone signs up", on: true, staff: true },
  digest: { label: "A summary of what I missed, after a week away", on: true },
} satisfies Partial<Record<NotificationType | "digest", Kind>>;

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
