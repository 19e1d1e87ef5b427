// What the owner of a new server sees to first; each step says whether it is done.

import type { App } from "../../platform/app.ts";
import { lastBackup } from "../../platform/backup/schedule.ts";
import type { Server } from "../../platform/http/server.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { personMail } from "../../domain/people/mail.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { currentRules } from "../../domain/rules/rules.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../../domain/settings/settings.ts";
import { formsOf } from "./forms.ts";
import { button, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";

const STEPS = "/admin/first_steps";
const ACTS = ["settings.write"] as const;

const DONE = { mailed: "A test email is on its way to you." };

type Step = { title: string; done: boolean; text: HtmlValue };

const MODES = {
  open: "Everybody can sign up",
  approved: "Everybody can apply, and you approve each sign-up",
  closed: "Nobody can sign up; people on this server can invite others",
};

const nameStep = (title: string | undefined): Step => ({
  title: "Name your server",
  done: title !== undefined,
  text: html`${title ? html`It is called <strong>${title}</strong>.` : "Say what it is called and who it is for."}
    <a href="/admin/settings/server">Name and description</a>`,
});

const ruleStep = (count: number): Step => ({
  title: "Write rules",
  done: count > 0,
  text: html`People agree to them when they sign up. <a href="/admin/rules">Rules</a>`,
});

const registrationStep = (mode: keyof typeof MODES | undefined): Step => ({
  title: "Choose who can sign up",
  done: mode !== undefined,
  text: html`${MODES[mode ?? DEFAULT_REGISTRATIONS]}.
    <a href="/admin/settings/registrations">Registrations</a>`,
});

const mailStep = (context: Staff): Step => {
  const { server } = context.app.config.mail;
  return {
    title: "Send email",
    done: server !== null,
    text:
      server === null
        ? html`Emails are written to files in <code>DATA_DIR/mail</code>. Set
            <code>SMTP_SERVER</code>, <code>SMTP_LOGIN</code> and <code>SMTP_PASSWORD</code>, and
            start the server again.`
        : html`Emails are sent by ${server}.
          ${button(context, { action: `${STEPS}/mail`, label: "Send me a test email" })}`,
  };
};

const backupStep = async ({ app }: Staff): Promise<Step> => {
  const { to, everyHours } = app.config.backup;
  const last = await lastBackup(app);
  const plan = to
    ? html`A backup is made into <code>${to}</code> every ${everyHours} hours.`
    : html`Set <code>BACKUP_TO</code> to a folder on another disk or a bucket, and a backup is made
        every day; or run <code>rookery backup FILE</code>.`;
  return {
    title: "Make backups",
    done: last !== null,
    text: html`${plan} ${last && html`The last one was made ${whenText(last)}.`}`,
  };
};

const stepItem = ({ title, done, text }: Step, place: number): Html =>
  html`<li class="${done ? "done" : ""}">
    <span class="mark" aria-hidden="true">${done ? "✓" : place + 1}</span>
    <strong>${title} ${done && html`<span class="soft small">(done)</span>`}</strong>
    <div>${text}</div>
  </li>`;

const show = async (context: Staff, problem?: string) => {
  const { app } = context;
  const [{ title, registrations }, rules] = await Promise.all([
    allSettings(app),
    currentRules(app),
  ]);
  const steps = [
    nameStep(title),
    ruleStep(rules.length),
    registrationStep(registrations),
    mailStep(context),
    await backupStep(context),
  ];
  return sendAdmin(context, {
    title: "First steps",
    problem,
    done: DONE,
    body: html`<p>
        Your server is running. These steps make it ready for others; you can come back to them at
        any time.
      </p>
      <ol class="steps">
        ${steps.map(stepItem)}
      </ol>
      <p>
        <a href="/settings">Connect an app and start posting</a> ·
        <a href="/admin">To the overview</a>
      </p>`,
  });
};

const sendTest = async ({ app, who }: Staff): Promise<void> => {
  const title = "Email works";
  const text = [`This is a test. ${app.config.site.localDomain} can send email.`];
  const mail = personMail(app, textsIn("en"), { title, name: who.username, text });
  try {
    await app.mail.send({ to: who.email, subject: title, ...mail });
  } catch (error) {
    throw new Unprocessable(`The mail server refused: ${(error as Error).message.slice(0, 300)}`);
  }
};

export const firstStepPages = (pages: Server, app: App): void => {
  pages.get(STEPS, staffPage(app, ACTS, show));
  formsOf(pages, app, STEPS, ACTS, show)(`${STEPS}/mail`, "mailed", sendTest);
};
