// Reports the state of the server as far as it is known at once and without the network, with the findings of the last
// `rookery doctor`, which asks more and runs once a week, or by hand.

import { statfs } from "node:fs/promises";
import type { App } from "../../../platform/app.ts";
import { DRILL_LIMIT_MS, judgeOutcomes } from "../../../platform/backup/age.ts";
import type { Judged } from "../../../platform/backup/age.ts";
import { selectLastDrill, selectOutcomes } from "../../../platform/backup/queries.ts";
import type { DrillOutcome } from "../../../platform/backup/queries.ts";
import { pendingMigrations } from "../../../platform/db/migrate.ts";
import { DISK_WARN_AT } from "../../../platform/health/pulse.ts";
import { spoken } from "../../../platform/text/spoken.ts";
import { isKey, says } from "../../../platform/text/texts.ts";
import type { Texts } from "../../../platform/text/texts.ts";
import { isNewer, VERSION } from "../../../platform/version.ts";
import { deleteFindings, insertFindings, selectFindings, selectQueues } from "./queries-health.ts";
import type { FindingRow, Found, Queues } from "./queries-health.ts";

export type { FindingRow, FindingState, Found } from "./queries-health.ts";

/** Says a finding in a language. */
export const saidOf = (
  texts: Texts,
  { text, advice, values }: Found,
): { text: string; advice?: string } => ({
  text: spoken(texts, says(text, values)),
  ...(advice && { advice: spoken(texts, says(advice, values)) }),
});

/** Says a stored finding in a language; null for one of another version, which is in English only. */
export const findingIn = (
  texts: Texts,
  { check_name: check, said }: FindingRow,
): { check: string; text: string; advice: string | null } | null => {
  const name = `doctor.check.${check}`;
  if (!said || !isKey(said.text) || !isKey(name)) return null;
  const { advice, ...bare } = said;
  const known = advice && isKey(advice) ? said : bare;
  return { check: texts.t(name), advice: null, ...saidOf(texts, known) };
};

const LATE_SECONDS = 600;

export type Health = {
  version: string;
  pendingMigrations: number;
  disk: { freeBytes: number; state: "ok" | "warning" | "fault" };
  /**
   * `at` is when the newest good one began; null where there is none. `whole` is what the doctor found when it read it.
   */
  backup: Judged & { at: Date | null; whole: FindingRow | null };
  drill: (DrillOutcome & { isOld: boolean }) | null;
  /** Null where no mail is sent. */
  mail: { server: string | null; failed: number };
  queues: Queues & { isLate: boolean };
  /** Problems that the last doctor found. */
  findings: FindingRow[];
  /** When that was; null where it never ran. */
  examinedAt: Date | null;
};

const diskOf = async ({ config }: App): Promise<Health["disk"]> => {
  const { bavail, bsize } = await statfs(config.dataDir);
  const freeBytes = bavail * bsize;
  const { reserveBytes } = config.disk;
  const isShort = freeBytes < reserveBytes * DISK_WARN_AT;
  return { freeBytes, state: freeBytes < reserveBytes ? "fault" : isShort ? "warning" : "ok" };
};

const backupOf = async (app: App, findings: FindingRow[]): Promise<Health["backup"]> => {
  const outcomes = await selectOutcomes(app.sql);
  const { good } = outcomes;
  const whole = findings.find(({ check_name: name }) => name === "backup") ?? null;
  const isRead = whole !== null && good !== null && whole.found_at > good.started_at;
  return {
    at: good?.started_at ?? null,
    ...judgeOutcomes(outcomes, app.config, app.clock.now()),
    whole: isRead ? whole : null,
  };
};

const drillOf = async (app: App): Promise<Health["drill"]> => {
  const row = await selectLastDrill(app.sql);
  if (!row) return null;
  const age = app.clock.now().getTime() - row.finished_at.getTime();
  return { ...row, isOld: age > DRILL_LIMIT_MS };
};

/** Whether this is the version, or a later one, that a finding says is newer. */
const isReached = ({ check_name: name, said }: FindingRow): boolean => {
  const version = name === "updates" ? said?.values["version"] : undefined;
  return version !== undefined && !isNewer(String(version), VERSION);
};

export const readHealth = async (app: App): Promise<Health> => {
  const findings = [...(await selectFindings(app.sql))];
  const queues = await selectQueues(app.sql);
  return {
    version: VERSION,
    pendingMigrations: (await pendingMigrations(app.sql)).length,
    disk: await diskOf(app),
    backup: await backupOf(app, findings),
    drill: await drillOf(app),
    mail: { server: app.config.mail.server, failed: queues.failed_mails },
    queues: { ...queues, isLate: queues.late > LATE_SECONDS },
    findings: findings.filter(
      (row) => (row.state === "fault" || row.state === "warning") && !isReached(row),
    ),
    // Updates are looked at more often than the rest.
    examinedAt: findings.find(({ check_name: name }) => name !== "updates")?.found_at ?? null,
  };
};

type NewFinding = Omit<FindingRow, "found_at">;

/** Replaces the findings of the doctor before, of all checks or of `only` one. */
export const storeFindings = (app: App, findings: NewFinding[], only?: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    await deleteFindings(tx, only);
    const at = app.clock.now();
    if (findings.length > 0) {
      await insertFindings(
        tx,
        findings.map((row) => ({ ...row, found_at: at })),
      );
    }
  }) as Promise<void>;
