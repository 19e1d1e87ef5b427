// Shows how emails are sent, as configured by the environment, and sends a test.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import { sendTestMail } from "../../domain/staff/moderation/test-mail.ts";
import { staffForm } from "./forms.ts";
import { button, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";

const MAIL = `${SETTINGS}/mail`;

const facts = ({ app, t }: Staff): [string, HtmlValue, string][] => {
  const { server, port, login, password, tls, from } = app.config.mail;
  return [
    [t("staff.mail.server"), server, "SMTP_SERVER"],
    [t("staff.mail.port"), String(port), "SMTP_PORT"],
    [t("staff.mail.login"), login ?? t("staff.default.nothing"), "SMTP_LOGIN"],
    [
      t("staff.mail.password"),
      t(password ? "staff.mail.hidden" : "staff.default.nothing"),
      "SMTP_PASSWORD",
    ],
    [t("staff.mail.tls"), t(tls ? "staff.mail.tls_on" : "staff.mail.tls_off"), "SMTP_TLS"],
    [t("staff.mail.from"), from, "SMTP_FROM_ADDRESS"],
  ];
};

/** Shows the mail settings only to those who have to set them. */
const serverPart = (context: Staff): HtmlValue => {
  const { t, app } = context;
  if (app.config.mail.server === null)
    return html`<p>
      ${sentence(t, "staff.mail.none", {
        folder: html`<code>DATA_DIR/mail</code>`,
        variables: html`<code>SMTP_SERVER</code>, <code>SMTP_LOGIN</code>,
          <code>SMTP_PASSWORD</code>`,
      })}
    </p>`;
  return html`<dl class="details-list">
    ${facts(context).map(
      ([label, value, name]) =>
        html`<dt>${label}</dt>
          <dd>
            ${value} <span class="soft small"><code>${name}</code></span>
          </dd>`,
    )}
  </dl>`;
};

const testPart = (context: Staff): Html => {
  const { t, who } = context;
  return html`<section class="panel">
    <h2>${t("staff.mail.test_title")}</h2>
    <p>${t("staff.mail.test_about", { email: who.email })}</p>
    ${button(context, { action: MAIL, label: t("staff.mail.test"), kind: "inline" })}
  </section>`;
};

const show = async (context: Staff, problem?: string) => {
  const { t } = context;
  return sendSettingsPage(context, "mail", {
    problem,
    body: html`${await noMailNotice(context)}
      <section class="panel">
        <h2>${t("staff.mail.title")}</h2>
        <p class="soft">${t("staff.environment.about")}</p>
        ${serverPart(context)}
      </section>
      ${context.app.config.mail.server !== null && testPart(context)}`,
  });
};

const test = async ({ app, actor, who }: Staff) => {
  await sendTestMail(app, actor, who);
  return `${MAIL}?done=mailed`;
};

export const mailPages = (pages: Server, app: App): void => {
  pages.get(MAIL, staffPage(app, SETTINGS_ACTS, show));
  pages.post(MAIL, staffForm(app, SETTINGS_ACTS, test, show));
};
