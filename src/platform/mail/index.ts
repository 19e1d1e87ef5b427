// Sending mail by SMTP (nodemailer); without a server it is written to the log and to a folder.

import type { FullConfig } from "../config/config.ts";
import type { Logger } from "../log/index.ts";

export type Mail = { to: string; subject: string; text: string };

export type Mailer = {
  /** Resolves when the mail was handed over; rejects when it should be tried again. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Opens with the first mail: most servers send few, and the library takes 6 MB. */
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
