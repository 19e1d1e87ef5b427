// The port for e-mail.

import { join } from "node:path";

/** Returns where mails are written that no mail server takes. */
export const mailFolder = (config: { dataDir: string }): string => join(config.dataDir, "mail");

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Headers of mails that are sent often: how programs sort them, and how people unsubscribe. */
  list?: MailList;
};

export type MailList = {
  /** List-Id (RFC 2919), without brackets. */
  id: string;
  /** URL of the page that ends these mails by a POST without sign-in (RFC 8058). */
  unsubscribe: string;
  /** The left part of the Message-ID, the same whenever the mail is sent again. */
  message: string;
  /** The same value for all mails of a thread; null for a mail of its own. */
  thread: string | null;
};

export type Mailer = {
  /** Resolves when the mail server has accepted the mail; rejects when it should be retried. */
  send(mail: Mail): Promise<void>;
  close(): void;
};
