// The command `rookery upgrade NEXT`: it backs up, checks, rehearses on a copy, replaces, starts, and goes back by
// itself where the new version does not serve. What the new version has accepted is never given up: the database goes
// back only while nothing was written to it since it was migrated.

import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError, reasonOf } from "./uses.ts";
import { succeed } from "./installation.ts";
import type { Installation } from "./installation.ts";
import type { UpgradePlan } from "./plan.ts";

/** `stayed`: the new version has written something, so it is left in place although it does not serve. */
export type Outcome = "done" | "went back" | "stayed";

type Say = (text: string) => void;

const POLL_MS = 200;

const untilReady = async ({ isReady, waitMs }: Installation): Promise<void> => {
  const deadline = Date.now() + waitMs;
  while (Date.now() < deadline) {
    if (await isReady()) return;
    await sleep(POLL_MS);
  }
  throw new ConfigError(`/readyz does not say that it serves, after ${waitMs / 1000} seconds.`);
};

const planOf = async (at: Installation): Promise<UpgradePlan> =>
  JSON.parse(await succeed(at.rookery(at.next, "upgrade", "--check", "--json"), "The check"));

/** Folders in DATA_DIR: the database, as it was before the upgrade, and as the failed one has left it. */
const placesIn = ({ dataDir }: Installation) => ({
  database: join(dataDir, "postgres"),
  before: join(dataDir, "postgres.before-upgrade"),
  failed: join(dataDir, "postgres.failed-upgrade"),
});

const keepDatabase = async (at: Installation): Promise<void> => {
  const { database, before } = placesIn(at);
  rmSync(before, { recursive: true, force: true });
  await at.copy(database, before);
};

const returnDatabase = (at: Installation): void => {
  const { database, before, failed } = placesIn(at);
  rmSync(failed, { recursive: true, force: true });
  renameSync(database, failed);
  renameSync(before, database);
};

/** What an upgrade has come to; `mark`: when the database was migrated. */
type State = { due: number; mark: string | null };

/** Whether the database is as the former version needs it, or can be made so without a loss. */
const returned = async (at: Installation, { due, mark }: State): Promise<boolean> => {
  if (due === 0 || (await planOf(at)).migrations.length === due) return true;
  if (!at.isEmbedded || !existsSync(placesIn(at).before)) return false;
  if (mark !== null) {
    const written = await succeed(
      at.rookery(at.next, "upgrade", "--written-since", mark),
      "The look at what was written",
    );
    if (written.trim() !== "") return false;
  }
  returnDatabase(at);
  return true;
};

const goBack = async (at: Installation, state: State, say: Say): Promise<Outcome> => {
  await at.service.stop();
  if (!(await returned(at, state))) {
    await at.service.start();
    say(
      at.isEmbedded
        ? `The new version has written to the database, so it stays: nothing that it has accepted is given up. Its log says what is wrong. The database as it was before is in ${placesIn(at).before}.`
        : "The database is migrated, and it is not in DATA_DIR, so the new version stays. Its log says what is wrong.",
    );
    return "stayed";
  }
  await at.putBack();
  await at.service.start();
  await untilReady(at);
  say(`It went back: the former version serves again, with everything that it had.`);
  return "went back";
};

const replace = async (at: Installation, state: State): Promise<void> => {
  if (state.due > 0 && at.isEmbedded) await keepDatabase(at);
  await at.place();
  if (state.due > 0) {
    await succeed(at.rookery(at.next, "migrate"), "The migration");
    const mark = await succeed(at.rookery(at.next, "upgrade", "--mark"), "The mark");
    state.mark = mark.trim();
  }
  await at.service.start();
  await untilReady(at);
};

/** Everything that can be tried while the present version serves; it throws ConfigError and has changed nothing. */
const prepare = async (at: Installation, say: Say): Promise<UpgradePlan> => {
  say(`Backing up to ${at.backupTo} …`);
  await succeed(at.rookery(at.former, "backup", at.backupTo), "The backup");
  const plan = await planOf(at);
  say("Starting the backup with the next version in a throw-away place, with questions …");
  await succeed(at.rookery(at.next, "restore", at.backupTo, "--check", "--deep"), "The rehearsal");
  return plan;
};

export const upgrade = async (at: Installation, say: Say): Promise<Outcome> => {
  if (at.former === at.next) throw new ConfigError(`${at.next} is what runs already.`);
  const { migrations } = await prepare(at, say);
  const state: State = { due: migrations.length, mark: null };
  say(`Replacing the present version, with ${state.due} migrations …`);
  await at.service.stop();
  try {
    await replace(at, state);
  } catch (error) {
    say(reasonOf(error));
    return goBack(at, state, say);
  }
  rmSync(placesIn(at).before, { recursive: true, force: true });
  say("The next version serves.");
  return "done";
};
