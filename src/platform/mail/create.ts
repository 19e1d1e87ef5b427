// Sends e-mail by SMTP (nodemailer). Without an SMTP server each mail becomes a file, named in the log.

import type { FullConfig } from "../config/config.ts";
import type { Logger } from "../log/index.ts";
import type { Mailer } from "./index.ts";

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
