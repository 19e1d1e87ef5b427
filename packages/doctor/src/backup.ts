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

/** Reads the whole backup; returns null if it is complete and belongs to this server. */
const faultOf = async ({ config }: App, { place: shown }: Outcome): Promise<Finding | null> => {
  const place = openPlace(shown, config.backup.service);
  try {
    const { manifest, missing, source } = await checkBackup(
      await findSource(place, config.backup.passphrase),
    );
    const other = manifest.local_domain;
    const domain = config.site.localDomain;
    const values = { place: source.shown, count: missing.length };
    if (other !== domain) {
      const names = { ...values, other, domain };
      return fault("doctor.backup.foreign", "doctor.advice.foreign_backup", names);
    }
    if (missing.length === 0) return null;
    return fault("doctor.backup.incomplete", "doctor.advice.unread", values);
  } catch (error) {
    const values = { place: shown, reason: reasonOf(error) };
    return error instanceof PassphraseNeeded
      ? warning("doctor.backup.unread", "doctor.advice.sealed", values)
      : fault("doctor.backup.unread", "doctor.advice.unread", values);
  } finally {
    place.files.close();
  }
};

export const backup = async ({ app }: Patient): Promise<Finding> => {
  const { to } = app.config.backup;
  const outcomes = await selectOutcomes(app.sql);
  const { good } = outcomes;
  const { isOld, failed } = judgeOutcomes(outcomes, app.config, app.clock.now());
  const advice = to === null ? "doctor.advice.no_place" : "doctor.advice.backup";
  if (failed?.counts) return fault("doctor.backup.failed", advice, { reason: failed.why });
  if (!good) return warning("network.health.no_backup", advice);
  const values = { day: good.started_at.toISOString(), place: good.place };
  if (isOld) return fault("doctor.backup.old", advice, values);
  return (await faultOf(app, good)) ?? ok("doctor.backup.whole", values);
};

/** Checks whether a restore drill was ever made, and succeeded. */
export const drill = async ({ app }: Patient): Promise<Finding> => {
  const { to } = app.config.backup;
  const last = await selectLastDrill(app.sql);
  if (!last && to === null) return skipped("network.health.no_drill");
  if (!last) return warning("network.health.no_drill", "doctor.advice.drill", { place: to! });
  const values = {
    day: last.finished_at.toISOString(),
    place: last.backup,
    questions: last.questions,
  };
  if (last.fault !== null) {
    const failed = { ...values, reason: last.fault };
    return fault("doctor.drill.failed", "doctor.advice.drill_again", failed);
  }
  const isOld = app.clock.now().getTime() - last.finished_at.getTime() > DRILL_LIMIT_MS;
  return isOld && to !== null
    ? warning("doctor.drill.good", "doctor.advice.drill", values)
    : ok("doctor.drill.good", values);
};
