// Sends e-mail by SMTP (nodemailer). Without an SMTP server each mail becomes a file, named in the log.

import type { FullConfig } from "../config/config.ts";
import type { Logger } from "../log/index.ts";

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Of mails of which there are many: how programs sort them, and how people end them. */
  list?: MailList;
};

export type MailList = {
  /** List-Id (RFC 2919), without brackets. */
  id: string;
  /** The page that ends these mails by a POST without sign-in (RFC 8058). */
  unsubscribe: string;
  /** The left part of the Message-ID: the same whenever the mail is sent again. */
  message: string;
  /** The same for all mails that belong together; null: nothing does. */
  thread: string | null;
};

export type Mailer = {
  /** Resolves when the mail server has accepted the mail; rejects when it should be retried. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Loads nodemailer with the first mail: most servers send few, and it takes 6 MB. */
export const createMailer = (config: FullConfig, log: Logger): Mailer => {
  let opened: Promise<Mailer> | null = null;
  const open = () =>
    (opened ??= import("./transport.ts").then(({ openMailer }) => openMailer(config, log)));
  return {
    async send(mail) {
      await (await open()).send(mail);
    },
    close: () => void opened?.then((mailer) => mailer.close()),
  };
};
