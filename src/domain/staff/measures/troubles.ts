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
  if (failed?.counts) return `${t("network.health.backup_failed")} ${failed.why}`;
  if (at === null) return t("network.health.no_backup");
  if (whole?.state === "fault") return `${t("network.health.not_whole")} ${whole.text}`;
  return isOld ? dayText(language, at) : null;
};

const drillText = ({ t, language }: Texts, { drill }: Health): string | null => {
  if (!drill) return t("network.health.no_drill");
  const day = dayText(language, drill.finished_at);
  if (drill.fault !== null) return `${t("network.health.drill_failed")} ${day}: ${drill.fault}`;
  return drill.isOld ? day : null;
};

const mailText = ({ t }: Texts, { mail }: Health): string | null => {
  if (mail.server === null) return t("network.health.no_mail");
  return mail.failed > 0 ? t("network.health.mail_waits", { count: mail.failed }) : null;
};

const queueText = ({ t, language }: Texts, { queues }: Health): string | null => {
  const minutes = numberText(language, Math.round(queues.late / 60));
  const parts = [
    queues.isLate && t("network.health.late", { minutes }),
    queues.failed_jobs > 0 && t("network.health.failed_jobs", { count: queues.failed_jobs }),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join("; ") : null;
};

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
    ["network.health.queue", queueText(texts, health)],
  ];
  const own = lines.flatMap(([name, text]) => (text === null ? [] : [`${t(name)}: ${text}`]));
  const findings = health.findings.map(({ check_name: check, text }) => `${check}: ${text}`);
  return [...own, ...findings];
};
