// The texts that each language has.

import type { SecurityEvent } from "../events.ts";

type Message = { title: string; text: string };
/** `subject`: where the name of the server tells mails of several servers apart. */
type Link = Message & { subject: string; button: string; after: string };

/** What moderators decide about an account. */
type Decided =
  | "none"
  | "disable"
  | "mark_statuses_as_sensitive"
  | "delete_statuses"
  | "sensitive"
  | "silence"
  | "suspend";

export type MailTexts = {
  hello: string;
  confirm: Link;
  reset: Link;
  newAddress: Link;
  approved: Message & { button: string };
  rejected: Message;
  security: Record<SecurityEvent, Message>;
  notYou: { question: string; button: string; after: string };
  /** Where the account is gone. */
  notYouGone: string;
  decisions: Record<Decided, Message>;
  decision: { named: string; posts: string; button: string; appeal: string };
  appealFiled: { title: string; button: string };
  appealAccepted: Message;
  appealRejected: Message;
  archive: Message & { button: string };
  scheduledRefused: Message;
};
