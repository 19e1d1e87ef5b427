// Checks of the newest backup (when it was made, whether it can be read) and of the last restore drill.

import {
  DRILL_LIMIT_MS,
  judgeOutcomes,
  reasonOf,
  selectLastDrill,
  selectOutcomes,
} from "./uses.ts";
import type { App, Outcome } from "./uses.ts";
import { PassphraseNeeded, checkBackup, findSource, openPlace } from "../../backup/src/index.ts";
import { fault, ok, skipped, warning } from "./finding.ts";
import type { Finding, Patient } from "./finding.ts";

const HOUR_MS = 3_600_000;

const ageText = (ms: number): string =>
  ms < 48 * HOUR_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / HOUR_MS / 24)} days`;

const ADVICE = "Run rookery backup, and see that nothing else changes the files of backups.";

const asSentence = (text: string): string => text.replace(/\.?$/, ".");

/** Reads the whole backup; returns null if it is complete and belongs to this server. */
const faultOf = async ({ config }: App, { place: shown }: Outcome): Promise<Finding | null> => {
  const place = openPlace(shown, config.backup.service);
  try {
    const { manifest, missing, source } = await checkBackup(
      await findSource(place, config.backup.passphrase),
    );
    const domain = manifest.local_domain;
    if (domain !== config.site.localDomain) {
      return fault(
        `${source.shown} is a backup of ${domain}, not of ${config.site.localDomain}.`,
        "Run rookery backup with the settings of the server.",
      );
    }
    if (missing.length === 0) return null;
    return fault(`${missing.length} media files are missing in ${source.shown}.`, ADVICE);
  } catch (error) {
    const text = `The newest backup cannot be read: ${asSentence(reasonOf(error))}`;
    if (!(error instanceof PassphraseNeeded)) return fault(text, ADVICE);
    return warning(
      text,
      `Set BACKUP_PASSPHRASE, or run rookery restore ${shown} --check --passphrase-file FILE.`,
    );
  } finally {
    place.files.close();
  }
};

export const backup = async ({ app }: Patient): Promise<Finding> => {
  const { to } = app.config.backup;
  const outcomes = await selectOutcomes(app.sql);
  const { good } = outcomes;
  const { isOld, failed } = judgeOutcomes(outcomes, app.config, app.clock.now());
  const advice =
    to === null
      ? "Set BACKUP_TO, so that the server makes backups, or run rookery backup FILE."
      : "Run rookery backup, which says what is wrong.";
  if (failed?.counts) return fault(`The last backup failed: ${asSentence(failed.why)}`, advice);
  if (!good) return warning("There is no backup yet.", advice);
  const ms = app.clock.now().getTime() - good.started_at.getTime();
  if (isOld) return fault(`The newest backup is ${ageText(ms)} old, in ${good.place}.`, advice);
  const broken = await faultOf(app, good);
  return broken ?? ok(`The newest backup is whole and ${ageText(ms)} old, in ${good.place}.`);
};

/** Checks whether a restore drill was ever made, and succeeded. */
export const drill = async ({ app }: Patient): Promise<Finding> => {
  const { to } = app.config.backup;
  const last = await selectLastDrill(app.sql);
  const advice = `Run rookery restore ${to ?? last?.backup} --check --deep, now and every few months.`;
  if (!last && to === null)
    return skipped("There is no BACKUP_TO, and there was no restore drill.");
  if (!last) return warning("No backup was ever started to see whether it works.", advice);
  const age = ageText(app.clock.now().getTime() - last.finished_at.getTime());
  if (last.fault !== null) {
    return fault(
      `The last restore drill, ${age} ago with ${last.backup}, failed: ${asSentence(last.fault)}`,
      "Run rookery backup, then rookery restore --check --deep with the new one.",
    );
  }
  const text = `The last restore drill was ${age} ago: ${last.questions} questions to ${last.backup}, all answered.`;
  const isOld = app.clock.now().getTime() - last.finished_at.getTime() > DRILL_LIMIT_MS;
  return isOld && to !== null ? warning(text, advice) : ok(text);
};
