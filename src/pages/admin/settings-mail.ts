// Shows how emails are sent, as configured by the environment, and sends a test.

import type { Inline, Part } from "../../../web/src/served/part-pages.ts";
import { sendTestMail } from "../../domain/staff/moderation/test-mail.ts";
import { noMailText } from "./first-steps.ts";
import { pageWithForms } from "./forms.ts";
import type { Show, Staff } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";

const MAIL = `${SETTINGS}/mail`;

const facts = ({ app, t }: Staff): [string, Inline, string][] => {
  const { server, port, login, password, tls, from } = app.config.mail;
  return [
    [t("staff.mail.server"), server, "SMTP_SERVER"],
    [t("staff.mail.port"), String(port), "SMTP_PORT"],
    [t("staff.mail.login"), login ?? t("staff.mail.unset"), "SMTP_LOGIN"],
    [
      t("staff.mail.password"),
      t(password ? "staff.mail.hidden" : "staff.mail.unset"),
      "SMTP_PASSWORD",
    ],
    [t("staff.mail.tls"), t(tls ? "staff.mail.tls_on" : "staff.mail.tls_off"), "SMTP_TLS"],
    [t("staff.mail.from"), from, "SMTP_FROM_ADDRESS"],
  ];
};

/** Shows the mail settings only to those who have to set them. */
const serverPart = (context: Staff): Part =>
  context.app.config.mail.server === null
    ? { text: noMailText(context) }
    : {
        facts: facts(context).map(([label, value, name]) => [
          { plain: label },
          [value, { soft: { code: name } }],
        ]),
      };

const show: Show = async (context) => {
  const { t, who, app } = context;
  return sendSettingsPage(context, "mail", [
    await noMailNotice(context),
    {
      panel: [
        { heading: "staff.mail.title" },
        { text: t("staff.environment.about"), isSoft: true },
        serverPart(context),
      ],
    },
    app.config.mail.server !== null && {
      panel: [
        { heading: "staff.mail.test_title" },
        { text: t("staff.mail.test_about", { email: who.email }) },
        { acts: [{ action: MAIL, label: "staff.mail.test", kind: "" }] },
      ],
    },
  ]);
};

export const mailPages = pageWithForms({ path: MAIL, read: SETTINGS_ACTS, show }, [
  ["", "staff.mail.sent", ({ app, actor, who }) => sendTestMail(app, actor, who)],
]);
