// Lists the first tasks of a new server's owner; each says whether it is done.

import type { ActButton, Inline, Step } from "../../../web/src/served/part-pages.ts";
import { lastBackup } from "../../platform/backup/schedule.ts";
import { mailFolder } from "../../platform/mail/index.ts";
import type { Say } from "../../platform/text/texts.ts";
import { sendTestMail } from "../../domain/staff/moderation/test-mail.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../../domain/base/settings/settings.ts";
import { pageWithForms } from "./forms.ts";
import { sendAdmin } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { commandText } from "./components.ts";

const STEPS = "/admin/first_steps";
const ACTS = ["settings.write"] as const;

const MODES = {
  open: "staff.steps.open",
  approved: "staff.steps.approved",
  closed: "staff.steps.closed",
} as const;

const step = (title: string, done: boolean, ...text: Inline[]): Step => ({
  title,
  done,
  parts: [{ text }],
});

const nameStep = (t: Say, title: string | undefined) =>
  step(
    t("staff.steps.name"),
    title !== undefined,
    title
      ? { say: "staff.steps.named", with: { title: { strong: title } } }
      : t("staff.steps.unnamed"),
    { link: "/admin/settings/general", text: t("staff.steps.name_link") },
  );

const ruleStep = (t: Say, count: number) =>
  step(t("staff.steps.rules"), count > 0, t("staff.steps.rules_text"), {
    link: "/admin/rules",
    text: t("staff.section.rules"),
  });

const registrationStep = (t: Say, mode: keyof typeof MODES | undefined) =>
  step(
    t("staff.steps.registrations"),
    mode !== undefined,
    t(MODES[mode ?? DEFAULT_REGISTRATIONS]),
    { link: "/admin/settings/registrations", text: t("staff.topic.registrations") },
  );

/** Says that no emails are sent, and how that is changed. */
export const noMailText = ({ app }: Pick<Staff, "app">): Inline => ({
  say: "staff.mail.none",
  with: {
    setup: commandText("rookery setup"),
    folder: { code: mailFolder(app.config) },
    variables: {
      listed: [{ code: "SMTP_SERVER" }, { code: "SMTP_LOGIN" }, { code: "SMTP_PASSWORD" }],
    },
  },
});

const mailStep = (context: Staff): Step => {
  const { t, app } = context;
  const { server } = app.config.mail;
  const test: ActButton = { action: `${STEPS}/mail`, label: "staff.mail.test" };
  return {
    title: t("staff.steps.mail"),
    done: server !== null,
    parts:
      server === null
        ? [{ text: noMailText(context) }]
        : [{ text: t("staff.mail.by", { server }) }, { acts: [test] }],
  };
};

const backupStep = async ({ app, t }: Staff): Promise<Step> => {
  const { to, everyHours: hours } = app.config.backup;
  const last = await lastBackup(app);
  const plan: Inline = to
    ? { say: "staff.steps.backup_plan", with: { to: { code: to }, hours } }
    : {
        say: "staff.steps.backup_none",
        with: {
          variable: { code: "BACKUP_TO" },
          setup: commandText("rookery setup"),
          command: commandText("rookery backup FILE"),
        },
      };
  return {
    title: t("staff.steps.backup"),
    done: last !== null,
    parts: [{ text: [plan, last && { say: "staff.steps.backup_last", with: { time: last } }] }],
  };
};

const show = async (context: Staff) => {
  const { app, t } = context;
  const [{ title, registrations }, rules] = await Promise.all([
    allSettings(app),
    currentRules(app),
  ]);
  const steps = [
    nameStep(t, title),
    ruleStep(t, rules.length),
    registrationStep(t, registrations),
    mailStep(context),
    await backupStep(context),
  ];
  return sendAdmin(context, {
    parts: [
      { text: t("staff.steps.about") },
      { steps },
      {
        text: {
          joined: [
            { link: "/settings", text: t("staff.steps.app") },
            { link: "/admin", text: t("staff.steps.overview") },
          ],
        },
      },
    ],
  });
};

export const firstStepPages = pageWithForms({ path: STEPS, read: ACTS, show }, [
  ["/mail", "staff.mail.sent", ({ app, actor, who }) => sendTestMail(app, actor, who)],
]);
