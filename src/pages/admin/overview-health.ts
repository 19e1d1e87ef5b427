// The server's health on the staff's first page: a line for each subject, with a mark that says whether it is
// well.

import type {
  ActButton,
  BadgePart,
  Inline,
  Part,
  Row,
} from "../../../web/src/served/part-pages.ts";
import type { Key } from "../../platform/text/texts.ts";
import { reasonIn } from "../../platform/text/spoken.ts";
import { bytesText, numberText } from "../../platform/text/figures.ts";
import type { RunName } from "../../platform/runs/run.ts";
import { findingIn } from "../../domain/staff/measures/health.ts";
import type { FindingRow, Health } from "../../domain/staff/measures/health.ts";
import { may } from "../../domain/base/roles/acts.ts";
import type { Staff } from "./frame.ts";
import { commandText } from "./components.ts";

type State = "ok" | "warning" | "fault";

type Line = { name: Key; state: State; text: Inline };

const MARKS: Record<State, BadgePart> = {
  ok: { badge: "network.health.ok", kind: "good" },
  warning: { badge: "network.health.warning", kind: "mild" },
  fault: { badge: "network.health.fault", kind: "bad" },
};

const databaseLine = ({ t }: Staff, { pendingMigrations: count, version }: Health): Line => ({
  name: "network.health.version",
  state: count > 0 ? "warning" : "ok",
  text: {
    joined: [`Rookery ${version}`, count > 0 && t("network.health.pending", { count })],
  },
});

const diskLine = ({ t, language }: Staff, { disk }: Health): Line => ({
  name: "network.health.disk",
  state: disk.state,
  text: t("network.health.free", { size: bytesText(language, disk.freeBytes) }),
});

/** Formats what the doctor found when it last read a whole backup. */
const wholeText = (whole: FindingRow | null): Inline => {
  if (!whole) return { say: "network.health.not_read" };
  const say = whole.state === "ok" ? "network.health.whole" : "network.health.not_whole";
  return { say, with: { time: whole.found_at } };
};

/** Says why something failed; what is not of the catalogue is in English. */
const reasonPart = ({ t }: Staff, why: string): Inline => {
  const said = reasonIn(t, why);
  return said === why ? { english: why } : said;
};

const backupLine = (context: Staff, { backup }: Health): Line => {
  const { t } = context;
  const { at, failed, isOld, whole } = backup;
  const name = "network.health.backup";
  const good: Inline = at && { joined: [at, wholeText(whole)] };
  if (failed) {
    const { place, why, counts } = failed;
    const key = counts ? "network.health.backup_failed" : "network.health.backup_elsewhere";
    const fault = { say: key, values: { place }, with: { why: reasonPart(context, why) } } as const;
    const text = { joined: [good, fault] };
    return { name, state: counts ? "fault" : "warning", text };
  }
  if (at === null) return { name, state: "warning", text: t("network.health.no_backup") };
  const isBroken = whole !== null && whole.state === "fault";
  return { name, state: isOld || isBroken ? "fault" : "ok", text: good };
};

const drillLine = (context: Staff, { drill }: Health): Line => {
  const { t } = context;
  const name = "network.health.drill";
  if (!drill) return { name, state: "warning", text: t("network.health.no_drill") };
  const { fault, finished_at: at, isOld } = drill;
  if (fault !== null) {
    const parts = { time: at, fault: reasonPart(context, fault) };
    return { name, state: "fault", text: { say: "network.health.drill_failed", with: parts } };
  }
  return { name, state: isOld ? "warning" : "ok", text: at };
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
    text: {
      joined: [waits, failed > 0 && t("network.health.failed_jobs", { count: failed })],
    },
  };
};

const findingRow = (context: Staff, row: FindingRow): Row => {
  const { state, check_name: check, text, advice } = row;
  const badges = [MARKS[state === "fault" ? "fault" : "warning"]];
  const said = findingIn(context, row);
  return said
    ? { title: said.check, badges, lines: [{ said: said.text }, said.advice] }
    : {
        title: { english: check },
        badges,
        lines: [{ said: { english: text } }, advice && { english: advice }],
      };
};

const doctorParts = (context: Staff, { findings, examinedAt: time }: Health): Part[] => {
  const command = commandText("rookery doctor");
  const say = findings.length > 0 ? "network.health.found" : "network.health.found_nothing";
  const text: Inline = time
    ? { say, with: { time, command } }
    : { say: "network.health.no_doctor", with: { command } };
  return [{ text, isSoft: true }, { rows: findings.map((row) => findingRow(context, row)) }];
};

/** Returns buttons that start scheduled tasks at once, for those who may change the server. */
const runActs = (
  { app, actor, t }: Staff,
  running: ReadonlySet<string>,
): (ActButton | Inline)[] => {
  if (!may(actor, "settings.write")) return [];
  const run = (name: RunName): ActButton | Inline =>
    running.has(name)
      ? { soft: t(`network.health.${name}_runs`) }
      : { action: `/admin/run/${name}`, label: `network.health.${name}_now` };
  return [app.config.backup.to !== null && run("backup"), run("doctor")];
};

export const healthPart = (context: Staff, health: Health, running: ReadonlySet<string>): Part => {
  const lines = [databaseLine, diskLine, backupLine, drillLine, mailLine, queueLine].map((line) =>
    line(context, health),
  );
  return {
    kind: "health",
    panel: [
      { heading: "network.health.title" },
      { facts: lines.map(({ name, state, text }) => [name, [MARKS[state], text]]) },
      ...doctorParts(context, health),
      { acts: runActs(context, running) },
    ],
  };
};
