// The two ways of sending mail: by SMTP, or into a folder (nodemailer).

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { FullConfig } from "../config/config.ts";
import type { Logger } from "../log/index.ts";
import type { Mailer } from "./index.ts";

/** As an object, so that a comma in the address does not make two recipients of it. */
const recipient = (address: string) => ({ name: "", address });

const smtpMailer = (mail: FullConfig["mail"]): Mailer => {
  const transport = createTransport({
    host: mail.server!,
    port: mail.port,
    secure: mail.tls,
    ...(mail.login && { auth: { user: mail.login, pass: mail.password ?? "" } }),
    connectionTimeout: 10_000,
  });
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ from: mail.from, to: recipient(to), subject, text });
    },
    close: () => transport.close(),
  };
};

/** Writes DATA_DIR/mail/TIME-N.eml, which any mail program can open. */
const folderMailer = (dataDir: string, from: string, log: Logger): Mailer => {
  const folder = join(dataDir, "mail");
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    async send({ to, subject, text }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const mail = { from, to: recipient(to), subject, text };
      const { message, messageId } = await composer.sendMail(mail);
      const name = `${Date.now()}-${messageId.replaceAll(/[^\w]/g, "").slice(0, 12)}.eml`;
      await writeFile(join(folder, name), message as Buffer, { mode: 0o600, flush: true });
      log.info(
        { file: join("mail", name) },
        "no mail server is set (SMTP_SERVER): mail written to a file",
      );
    },
    close: () => composer.close(),
  };
};

/** SMTP where a server is configured, otherwise the folder. */
export const openMailer = (config: FullConfig, log: Logger): Mailer =>
  config.mail.server
    ? smtpMailer(config.mail)
    : folderMailer(config.dataDir, config.mail.from, log);
