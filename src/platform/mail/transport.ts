// The two ways of sending mail: by SMTP, or into a folder (nodemailer).

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Config, FullConfig } from "../config/config.ts";
import type { Logger } from "../log/index.ts";
import { mailFolder } from "./index.ts";
import type { Mail, MailList, Mailer } from "./index.ts";

/** The recipient is an object, so that a comma in the address does not make two recipients. */
const recipient = (address: string) => ({ name: "", address });

const listHeaders = ({ id, unsubscribe, message, thread }: MailList, domain: string) => ({
  messageId: `<${message}@${domain}>`,
  ...(thread && { inReplyTo: `<${thread}@${domain}>`, references: `<${thread}@${domain}>` }),
  headers: {
    "list-id": `<${id}>`,
    "list-unsubscribe": `<${unsubscribe}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  },
});

/** Adds the server's name, unless it is there: a mailbox shows the subjects of many servers, and not who sent them. */
const subjectOf = (subject: string, domain: string): string =>
  subject.includes(domain) ? subject : `${subject} - ${domain}`;

/** Returns the message for nodemailer. Vacation programs do not answer it (RFC 3834). */
const messageOf = ({ to, subject, text, html, list }: Mail, { mail, site }: FullConfig) => {
  const { headers = {}, ...rest } = list ? listHeaders(list, site.localDomain) : {};
  return {
    from: mail.from,
    to: recipient(to),
    subject: subjectOf(subject, site.localDomain),
    text,
    html,
    ...rest,
    headers: { ...headers, "auto-submitted": "auto-generated" },
  };
};

const smtp = ({ mail }: Config) =>
  createTransport({
    host: mail.server!,
    port: mail.port,
    secure: mail.tls,
    ...(mail.login && { auth: { user: mail.login, pass: mail.password ?? "" } }),
    connectionTimeout: 10_000,
  });

/** Connects and signs in without sending anything; the error says what the server refused. */
export const verifySmtp = async (config: Config): Promise<void> => {
  const transport = smtp(config);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
};

const smtpMailer = (config: FullConfig): Mailer => {
  const transport = smtp(config);
  return {
    async send(mail) {
      await transport.sendMail(messageOf(mail, config));
    },
    close: () => transport.close(),
  };
};

/** Writes DATA_DIR/mail/TIME-N.eml, which any mail program can open; the names sort by time. */
const folderMailer = (config: FullConfig, log: Logger): Mailer => {
  const folder = mailFolder(config);
  const composer = createTransport({ streamTransport: true, buffer: true });
  let time = 0;
  return {
    async send(mail) {
      time = Math.max(time + 1, Date.now());
      const at = time;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { message, messageId } = await composer.sendMail(messageOf(mail, config));
      const name = `${at}-${messageId.replaceAll(/[^\w]/g, "").slice(0, 12)}.eml`;
      await writeFile(join(folder, name), message as Buffer, { mode: 0o600, flush: true });
      log.info(
        { file: join("mail", name) },
        "no mail server is set (SMTP_SERVER): mail written to a file",
      );
    },
    close: () => composer.close(),
  };
};

/** Sends by SMTP where a server is configured, otherwise into the folder. */
export const openMailer = (config: FullConfig, log: Logger): Mailer =>
  config.mail.server ? smtpMailer(config) : folderMailer(config, log);
