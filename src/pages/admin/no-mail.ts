// Tells the staff that people who sign up wait for emails that are not sent.

import type { App } from "../../platform/app.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { notice } from "../../domain/people/pages/parts.ts";
import { registrationMode } from "../../domain/people/sign-up.ts";

/** null while emails are sent, or nobody can sign up. */
export const noMailNotice = async (app: App): Promise<Html | null> => {
  if (app.config.mail.server !== null || (await registrationMode(app)) === "closed") return null;
  return notice(
    html`People can sign up, but no email reaches them: this server only writes emails to files in
      <code>DATA_DIR/mail</code>. Set <code>SMTP_SERVER</code> so that they can confirm their
      address, or confirm new accounts yourself with
      <code>rookery accounts modify NAME --confirm</code>.`,
    "bad",
  );
};
