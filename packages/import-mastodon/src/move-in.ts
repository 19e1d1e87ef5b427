// Imports a whole Mastodon: its database, files and keys (docs/design/moving.md, docs/SWITCHING.md).

import { connect, ConfigError, peopleOverLimits } from "./uses.ts";
import type { App, Config, Sql } from "./uses.ts";
import { takenOf } from "./columns.ts";
import type { OldEnv } from "./env.ts";
import { fileMover } from "./files.ts";
import type { FileMover } from "./files.ts";
import { MAPPING } from "./mapping.ts";
import type { OldMedia } from "./old-media.ts";
import { selectEmptiness, selectPass, selectProgress } from "./queries.ts";
import type { Progress } from "./queries.ts";
import { selectIsReadOnly, selectOldColumns } from "./queries-source.ts";
import { runSteps } from "./run.ts";
import { STEPS } from "./steps.ts";

export const refuseOtherServer = (site: Config["site"], env: OldEnv): void => {
  if (site.localDomain === env.localDomain && site.webDomain === env.webDomain) return;
  const web = env.webDomain === env.localDomain ? "" : ` and WEB_DOMAIN=${env.webDomain}`;
  throw new ConfigError(
    `That server is ${env.localDomain}, and this one is ${site.localDomain}: set LOCAL_DOMAIN=${env.localDomain}${web} here.`,
  );
};

/** Makes PostgreSQL refuse all writes of the import to that database. */
const readOnly = (url: string): string =>
  `${url}${url.includes("?") ? "&" : "?"}default_transaction_read_only=on`;

/** Connects to a database of Mastodon 4.3 or newer, read-only; throws ConfigError otherwise. */
export const connectOld = async (url: string): Promise<Sql> => {
  const old = connect(readOnly(url), { max: 2, application: "rookery import" });
  try {
    if (!(await selectIsReadOnly(old))) throw new Error("the old database could be written");
    const columns = await selectOldColumns(old);
    const known = new Set(columns.map(({ table, name }) => `${table}.${name}`));
    if (!known.has("schema_migrations.version") || !known.has("statuses.reblog_of_id")) {
      throw new ConfigError("That database is none of a Mastodon.");
    }
    const missing = Object.keys(MAPPING)
      .flatMap((table) => takenOf(table).map((name) => `${table}.${name}`))
      .find((name) => !known.has(name));
    if (missing) {
      throw new ConfigError(
        `That database is of a Mastodon before 4.3 (it has no ${missing}): update it to 4.3 or newer first.`,
      );
    }
    return old;
  } catch (error) {
    await old.end();
    throw error;
  }
};

/** Refuses a server that people have used: a pass would undo what they did since. */
const refuseInhabited = async ({ sql }: App): Promise<void> => {
  const [pass, { users, statuses, sessions, served }] = [
    await selectPass(sql),
    await selectEmptiness(sql),
  ];
  if (!pass && (users || statuses)) {
    throw new ConfigError(
      "This server has people or posts already: import into a new one, with an empty DATA_DIR or database.",
    );
  }
  if (pass && (sessions || (served !== null && served > pass.started_at))) {
    throw new ConfigError(
      "This server has run since the import: another pass would undo what people did on it.",
    );
  }
};

export type From = {
  old: Sql;
  env: OldEnv;
  media: OldMedia;
  /** Maximum rows of a batch, which a crash repeats. */
  rowsAtOnce?: number;
};

export type Moved = {
  pass: number;
  steps: Progress[];
  files: FileMover;
  /** Names of people whose filters have more words than are looked for. */
  overLimits: string[];
};

export const moveIn = async (
  app: App,
  { old, env, media, rowsAtOnce = Infinity }: From,
  onBatch: (step: string, rows: number) => void = () => {},
): Promise<Moved> => {
  await refuseInhabited(app);
  const files = fileMover(app, media);
  const { origin } = app.config.site;
  await runSteps({ app, old, env, origin, files }, STEPS, {
    rowsAtOnce,
    onBatch: (step, rows) => onBatch(step.name, rows),
  });
  const { pass } = (await selectPass(app.sql))!;
  const steps = new Map((await selectProgress(app.sql)).map((row) => [row.name, row]));
  const overLimits = await peopleOverLimits(app.sql);
  return { pass, steps: STEPS.flatMap(({ name }) => steps.get(name) ?? []), files, overLimits };
};
