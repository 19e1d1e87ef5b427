// Sends a mail to a member of the staff who wants to see whether emails arrive; refusals of the mail server are
// explained in plain words.

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { reasonOf } from "../../../platform/reason.ts";
import { says } from "../../../platform/text/texts.ts";
import type { Key, Said } from "../../../platform/text/texts.ts";
import { mailPerson } from "../../people/users/mail.ts";
import type { SignedIn } from "../../people/users/sign-in.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { requireMay } from "../../base/roles/acts.ts";

/** Maps codes of nodemailer's errors to texts; errors of the system come as ESOCKET or ECONNECTION as well. */
const REASONS: Record<string, Key> = {
  EAUTH: "staff.mail.refused_login",
  ENOAUTH: "staff.mail.refused_login",
  EDNS: "staff.mail.no_server",
  ENOTFOUND: "staff.mail.no_server",
  ECONNECTION: "staff.mail.no_connection",
  ECONNREFUSED: "staff.mail.no_connection",
  ESOCKET: "staff.mail.no_connection",
  ETIMEDOUT: "staff.mail.no_answer",
  ETLS: "staff.mail.no_tls",
  EENVELOPE: "staff.mail.refused_address",
  EMESSAGE: "staff.mail.refused_text",
};

type MailError = Error & { code?: string; syscall?: string; responseCode?: number };

const codeOf = ({ code = "", message, syscall }: MailError): string => {
  if (/certificate|\bSSL\b|\bTLS\b|wrong version number/i.test(message)) return "ETLS";
  if (syscall === "getaddrinfo" || message.includes("ENOTFOUND")) return "EDNS";
  return message.includes("ETIMEDOUT") ? "ETIMEDOUT" : code;
};

const saidOf = ({ config }: App, error: MailError, email: string): Said => {
  const { server, port } = config.mail;
  const key = REASONS[codeOf(error)] ?? "staff.mail.refused";
  const answer = reasonOf(error).replaceAll(/\s+/g, " ").slice(0, 300);
  return says(key, { server: `${server}:${port}`, email, answer });
};

/**
 * Sends a test mail; throws Unprocessable with what is wrong with the configuration, and below it what the mail server
 * said.
 */
export const sendTestMail = async (
  app: App,
  actor: Actor,
  who: Pick<SignedIn, "email" | "username" | "locale">,
): Promise<void> => {
  requireMay(actor, "settings.write");
  try {
    await mailPerson(app, who, (t) => ({
      title: t("staff.mail.subject"),
      text: [t("staff.mail.text", { site: app.config.site.localDomain })],
    }));
  } catch (error) {
    throw new Unprocessable(saidOf(app, error as MailError, who.email));
  }
};

/** Returns null where the mail server accepts the connection and the password. */
export const mailProblem = async (app: App): Promise<Said | null> => {
  const { server, from } = app.config.mail;
  if (server === null) return says("staff.opening.no_mail");
  try {
    const { verifySmtp } = await import("../../../platform/mail/transport.ts");
    await verifySmtp(app.config);
    return null;
  } catch (error) {
    return saidOf(app, error as MailError, from);
  }
};
