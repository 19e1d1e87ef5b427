// The port for e-mail: what a mail is, and what sends it.

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
