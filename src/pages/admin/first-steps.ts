// Lists the first tasks of a new server's owner; each says whether it is done.

import type { App } from "../../platform/app.ts";
import { lastBackup } from "../../platform/backup/schedule.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import type { Say } from "../../platform/text/texts.ts";
import { sendTestMail } from "../../domain/staff/moderation/test-mail.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../../domain/base/settings/settings.ts";
import { formsOf } from "./forms.ts";
import { button, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { commandText } from "./components.ts";

const STEPS = "/admin/first_steps";
const ACTS = ["settings.write"] as const;

const DONE = { mailed: "staff.mail.sent" } as const;

type Step = { title: string; done: boolean; text: HtmlValue };

const MODES = {
  open: "staff.steps.open",
  approved: "staff.steps.approved",
  closed: "staff.steps.closed",
} as const;

const nameStep = (t: Say, title: string | undefined): Step => ({
  title: t("staff.steps.name"),
  done: title !== undefined,
  text: html`${title ? sentence(t, "staff.steps.named", { title: html`<strong>${title}</strong>` }) : t("staff.steps.unnamed")}
    <a href="/admin/settings/general">${t("staff.steps.name_link")}</a>`,
});

const ruleStep = (t: Say, count: number): Step => ({
  title: t("staff.steps.rules"),
  done: count > 0,
  text: html`${t("staff.steps.rules_text")} <a href="/admin/rules">${t("staff.section.rules")}</a>`,
});

const registrationStep = (t: Say, mode: keyof typeof MODES | undefined): Step => ({
  title: t("staff.steps.registrations"),
  done: mode !== undefined,
  text: html`${t(MODES[mode ?? DEFAULT_REGISTRATIONS])}
    <a href="/admin/settings/registrations">${t("staff.topic.registrations")}</a>`,
});

const mailStep = (context: Staff): Step => {
  const { t, app } = context;
  const { server } = app.config.mail;
  return {
    title: t("staff.steps.mail"),
    done: server !== null,
    text:
      server === null
        ? sentence(t, "staff.mail.none", {
            setup: commandText("rookery setup"),
            folder: html`<code>DATA_DIR/mail</code>`,
            variables: html`<code>SMTP_SERVER</code>, <code>SMTP_LOGIN</code>,
              <code>SMTP_PASSWORD</code>`,
          })
        : html`${t("staff.mail.by", { server })}
          ${button(context, { action: `${STEPS}/mail`, label: t("staff.mail.test") })}`,
  };
};

const backupStep = async ({ app, t, language }: Staff): Promise<Step> => {
  const { to, everyHours } = app.config.backup;
  const last = await lastBackup(app);
  const plan = to
    ? sentence(t, "staff.steps.backup_plan", { to: html`<code>${to}</code>`, hours: everyHours })
    : sentence(t, "staff.steps.backup_none", {
        variable: html`<code>BACKUP_TO</code>`,
        setup: commandText("rookery setup"),
        command: commandText("rookery backup FILE"),
      });
  return {
    title: t("staff.steps.backup"),
    done: last !== null,
    text: html`${plan}
    ${last && sentence(t, "staff.steps.backup_last", { time: whenText(last, language) })}`,
  };
};

const stepItem =
  (t: Say) =>
  ({ title, done, text }: Step, place: number): Html =>
    html`<li class="${done ? "done" : ""}">
      <span class="mark" aria-hidden="true">${done ? "✓" : place + 1}</span>
      <strong
        >${title}
        ${done && html`<span class="soft small">(${t("staff.steps.done")})</span>`}</strong
      >
      <div>${text}</div>
    </li>`;

const show = async (context: Staff, problem?: string) => {
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
    title: t("staff.section.first_steps"),
    problem,
    done: DONE,
    body: html`<p>${t("staff.steps.about")}</p>
      <ol class="steps">
        ${steps.map(stepItem(t))}
      </ol>
      <p>
        <a href="/settings">${t("staff.steps.app")}</a> ·
        <a href="/admin">${t("staff.steps.overview")}</a>
      </p>`,
  });
};

export const firstStepPages = (pages: Server, app: App): void => {
  pages.get(STEPS, staffPage(app, ACTS, show));
  formsOf(
    pages,
    app,
    STEPS,
    ACTS,
    show,
  )(`${STEPS}/mail`, "mailed", ({ actor, who }) => sendTestMail(app, actor, who));
};
