// Writes the problems of the server, a line each, for mails.

import { bytesText, numberText } from "../../../platform/text/figures.ts";
import { dayText, reasonIn } from "../../../platform/text/spoken.ts";
import type { Key, Texts } from "../../../platform/text/texts.ts";
import { findingIn } from "./health.ts";
import type { Health } from "./health.ts";

const backupText = (texts: Texts, { backup }: Health): string | null => {
  const { t, language } = texts;
  const { at, failed, isOld, whole } = backup;
  if (failed?.counts) return t("network.health.backup_failed", { why: reasonIn(t, failed.why) });
  if (at === null) return t("network.health.no_backup");
  if (whole?.state === "fault") {
    const why = (findingIn(texts, whole) ?? whole).text;
    return t("network.health.not_whole_why", { why });
  }
  return isOld ? dayText(language, at) : null;
};

const drillText = ({ t, language }: Texts, { drill }: Health): string | null => {
  if (!drill) return t("network.health.no_drill");
  const time = dayText(language, drill.finished_at);
  if (drill.fault !== null)
    return t("network.health.drill_failed", { time, fault: reasonIn(t, drill.fault) });
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
  const findings = health.findings.map((row) => {
    const { check, text } = findingIn(texts, row) ?? { ...row, check: row.check_name };
    return t("words.pair", { name: check, value: text });
  });
  return [...own, ...findings];
};
