// Draws the server's health on the staff's first page: a line for each subject, with a mark that says whether it is
// well.

import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import type { FindingRow, Health } from "../../domain/staff/measures/health.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import { button } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { may } from "../../domain/base/roles/acts.ts";
import type { RunName } from "../../platform/runs/run.ts";
import { badge, commandText } from "./components.ts";

type State = "ok" | "warning" | "fault";

type Line = { name: Key; state: State; text: HtmlValue };

const MARKS: Record<State, { text: Key; kind: "good" | "mild" | "bad" }> = {
  ok: { text: "network.health.ok", kind: "good" },
  warning: { text: "network.health.warning", kind: "mild" },
  fault: { text: "network.health.fault", kind: "bad" },
};

const mark = ({ t }: Staff, state: State): Html => badge(t(MARKS[state].text), MARKS[state].kind);

const databaseLine = ({ t }: Staff, { pendingMigrations: count, version }: Health): Line => ({
  name: "network.health.version",
  state: count > 0 ? "warning" : "ok",
  text:
    count > 0
      ? html`Rookery ${version}, ${t("network.health.pending", { count })}`
      : html`Rookery ${version}`,
});

const diskLine = ({ t, language }: Staff, { disk }: Health): Line => ({
  name: "network.health.disk",
  state: disk.state,
  text: t("network.health.free", { size: bytesText(language, disk.freeBytes) }),
});

/** Formats what the doctor found when it last read a whole backup. */
const wholeText = ({ t, language }: Staff, whole: FindingRow | null): HtmlValue => {
  if (!whole) return t("network.health.not_read");
  const key = whole.state === "ok" ? "network.health.whole" : "network.health.not_whole";
  return html`${t(key)} ${whenText(whole.found_at, language)}`;
};

const backupLine = (context: Staff, { backup }: Health): Line => {
  const { t, language } = context;
  const { at, fault, isOld, whole } = backup;
  const name = "network.health.backup";
  if (fault !== null) {
    const text = html`${t("network.health.backup_failed")} <span lang="en">${fault}</span>`;
    return { name, state: "fault", text };
  }
  if (at === null) return { name, state: "warning", text: t("network.health.no_backup") };
  const isBroken = whole !== null && whole.state === "fault";
  return {
    name,
    state: isOld || isBroken ? "fault" : "ok",
    text: html`${whenText(at, language)}; ${wholeText(context, whole)}`,
  };
};

const drillLine = ({ t, language }: Staff, { drill }: Health): Line => {
  const name = "network.health.drill";
  if (!drill) return { name, state: "warning", text: t("network.health.no_drill") };
  const { fault, finished_at: at, isOld } = drill;
  if (fault !== null) {
    const text = html`${t("network.health.drill_failed")} ${whenText(at, language)}:
      <span lang="en">${fault}</span>`;
    return { name, state: "fault", text };
  }
  return { name, state: isOld ? "warning" : "ok", text: whenText(at, language) };
};

const mailLine = ({ t }: Staff, { mail }: Health): Line => {
  const name = "network.health.mail";
  if (mail.server === null) return { name, state: "warning", text: t("network.health.no_mail") };
  return mail.failed > 0
    ? { name, state: "warning", text: t("network.health.mail_waits", { count: mail.failed }) }
    : { name, state: "ok", text: t("network.health.mail_by", { server: mail.server }) };
};

const queueLine = ({ t, language }: Staff, { queues }: Health): Line => {
  const { late, isLate, failed_jobs: failed } = queues;
  const waits = isLate
    ? t("network.health.late", { minutes: numberText(language, Math.round(late / 60)) })
    : t("network.health.on_time");
  return {
    name: "network.health.queue",
    state: isLate ? "fault" : failed > 0 ? "warning" : "ok",
    text: failed > 0 ? `${waits}; ${t("network.health.failed_jobs", { count: failed })}` : waits,
  };
};

const findingItem = (context: Staff, { state, check_name: check, text, advice }: FindingRow) =>
  html`<li>
    <div class="what" lang="en">
      <strong>${check} ${mark(context, state === "fault" ? "fault" : "warning")}</strong>
      <span class="said">${text}</span>
      ${advice && html`<span>${advice}</span>`}
    </div>
  </li>`;

const doctorPart = (context: Staff, { findings, examinedAt }: Health): Html => {
  const { t, language } = context;
  const command = commandText("rookery doctor");
  if (!examinedAt) return html`<p class="soft">${t("network.health.no_doctor")} ${command}</p>`;
  return html`<p class="soft">
      ${t(findings.length > 0 ? "network.health.found" : "network.health.found_nothing")}
      ${whenText(examinedAt, language)} (${command})
    </p>
    ${
      findings.length > 0 &&
      html`<ul class="rows">
        ${findings.map((finding) => findingItem(context, finding))}
      </ul>`
    }`;
};

type Running = ReadonlySet<string>;

const runButton = (context: Staff, name: RunName, running: Running): Html =>
  running.has(name)
    ? html`<span class="soft">${context.t(`network.health.${name}_runs`)}</span>`
    : button(context, {
        action: `/admin/run/${name}`,
        label: context.t(`network.health.${name}_now`),
      });

/** Draws buttons that start scheduled tasks at once, for those who may change the server. */
const runButtons = (context: Staff, running: Running): HtmlValue => {
  const { app, actor } = context;
  if (!may(actor, "settings.write")) return null;
  return html`<div class="buttons">
    ${app.config.backup.to !== null && runButton(context, "backup", running)}
    ${runButton(context, "doctor", running)}
  </div>`;
};

export const healthPart = (context: Staff, health: Health, running: Running): Html => {
  const { t } = context;
  const lines = [databaseLine, diskLine, backupLine, drillLine, mailLine, queueLine].map((line) =>
    line(context, health),
  );
  return html`<section class="panel">
    <h2>${t("network.health.title")}</h2>
    <dl class="details-list health">
      ${lines.map(
        ({ name, state, text }) =>
          html`<dt>${t(name)}</dt>
            <dd>${mark(context, state)} ${text}</dd>`,
      )}
    </dl>
    ${doctorPart(context, health)} ${runButtons(context, running)}
  </section>`;
};
