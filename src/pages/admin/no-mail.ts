// Tells the staff that people who sign up wait for emails that are not sent.

import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import { notice } from "../../domain/people/users/pages/components.ts";
import { registrationMode } from "../../domain/people/users/sign-up.ts";
import type { Staff } from "./frame.ts";
import { commandText } from "./components.ts";

/** Returns null while emails are sent, or nobody can sign up. */
export const noMailNotice = async ({ app, t }: Pick<Staff, "app" | "t">): Promise<Html | null> => {
  if (app.config.mail.server !== null || (await registrationMode(app)) === "closed") return null;
  const text = sentence(t, "staff.no_mail", {
    folder: html`<code>DATA_DIR/mail</code>`,
    variable: html`<code>SMTP_SERVER</code>`,
    setup: commandText("rookery setup"),
    command: commandText("rookery accounts modify NAME --confirm"),
  });
  return notice(text, "bad");
};
