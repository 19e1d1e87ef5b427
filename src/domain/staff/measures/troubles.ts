// Writes the problems of the server, a line each, for mails.

import { bytesText, numberText } from "../../../platform/text/figures.ts";
import type { Key, Texts } from "../../../platform/text/texts.ts";
import type { Health } from "./health.ts";

const dayText = (language: string, at: Date): string =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "medium",
    timeZone: "UTC",
  }).format(at);

const backupText = ({ t, language }: Texts, { backup }: Health): string | null => {
  const { at, failed, isOld, whole } = backup;
  if (failed?.counts) return t("network.health.backup_failed", { why: failed.why });
  if (at === null) return t("network.health.no_backup");
  if (whole?.state === "fault") return t("network.health.not_whole_why", { why: whole.text });
  return isOld ? dayText(language, at) : null;
};

const drillText = ({ t, language }: Texts, { drill }: Health): string | null => {
  if (!drill) return t("network.health.no_drill");
  const { fault } = drill;
  const time = dayText(language, drill.finished_at);
  if (fault !== null) return t("network.health.drill_failed", { time, fault });
  return drill.isOld ? time : null;
};

const mailText = ({ t }: Texts, { mail }: Health): string | null => {
  if (mail.server === null) return t("network.health.no_mail");
  return mail.failed > 0 ? t("network.health.mail_waits", { count: mail.failed }) : null;
};

const lateText = ({ t, language }: Texts, { queues }: Health): string | null => {
  const minutes = numberText(language, Math.round(queues.late / 60));
  return queues.isLate ? t("network.health.late", { minutes }) : null;
};

const failedText = ({ t }: Texts, { queues: { failed_jobs: count } }: Health): string | null =>
  count > 0 ? t("network.health.failed_jobs", { count }) : null;

/** Leaves the doctor's findings in English. */
export const troublesOf = (texts: Texts, health: Health): string[] => {
  const { t, language } = texts;
  const { pendingMigrations: count, disk } = health;
  const lines: [Key, string | null][] = [
    ["network.health.version", count > 0 ? t("network.health.pending", { count }) : null],
    [
      "network.health.disk",
      disk.state === "ok"
        ? null
        : t("network.health.free", { size: bytesText(language, disk.freeBytes) }),
    ],
    ["network.health.backup", backupText(texts, health)],
    ["network.health.drill", drillText(texts, health)],
    ["network.health.mail", mailText(texts, health)],
    ["network.health.queue", lateText(texts, health)],
    ["network.health.queue", failedText(texts, health)],
  ];
  const own = lines.flatMap(([name, text]) =>
    text === null ? [] : [t("words.pair", { name: t(name), value: text })],
  );
  const findings = health.findings.map(({ check_name: check, text }) => `${check}: ${text}`);
  return [...own, ...findings];
};
