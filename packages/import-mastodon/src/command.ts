// The command `rookery import mastodon`.

import {
  readConfig,
  readEnvironment,
  withSecrets,
  adoptVapid,
  ConfigError,
  migrate,
  bar,
  megabytes,
  progressLine,
  openNewDatabase,
  withAppOn,
} from "./uses.ts";
import type { App } from "./uses.ts";
import { compareFor } from "./answers.ts";
import { withBoth } from "./both-servers.ts";
import { checkImport } from "./check.ts";
import { readOldEnv } from "./env.ts";
import { connectOld, moveIn, refuseOtherServer } from "./move-in.ts";
import type { From, Moved } from "./move-in.ts";
import { openOldMedia } from "./old-media.ts";
import type { OldMedia } from "./old-media.ts";
import { planImport } from "./plan.ts";
import type { Plan } from "./plan.ts";

export type ImportOptions = {
  database: string;
  media: string;
  env: string;
  dryRun?: boolean;
  check?: boolean;
  /** Tokens of a few people's apps: what these read on both servers is compared. */
  token?: string[];
  api?: string;
  json?: boolean;
};

const FAULTS_SHOWN = 100;

const number = (n: number): string => n.toLocaleString("en-US");

const printJson = (value: unknown): void => console.log(JSON.stringify(value, null, 2));

const printPlan = (plan: Plan, media: OldMedia): void => {
  for (const { from, into, rows } of plan.taken) console.log(`${number(rows)} ${from} → ${into}`);
  if (plan.lost.length > 0) console.log("\nThis has no place here:");
  for (const { what, rows } of plan.lost) console.log(`${number(rows)} ${what}`);
  if (plan.unknown.length > 0) console.log("\nThis is of a newer version, and is left:");
  for (const { what, rows } of plan.unknown) console.log(`${number(rows)} rows of ${what}`);
  console.log(
    `\n${number(plan.rows)} rows take about ${Math.ceil(plan.seconds / 60)} min, and about ${megabytes(plan.databaseBytes)} for the database. Files: ${media.stays ? "they stay in the bucket" : megabytes(plan.fileBytes)}.`,
  );
};

const printMoved = ({ pass, steps, files, overLimits }: Moved): void => {
  for (const { name, rows, orphans, refused, fault } of steps) {
    const left = [
      ...(Number(orphans) > 0 ? [`${orphans} about what is not there any more`] : []),
      ...(fault ? [`${refused} refused, the last: ${fault}`] : []),
    ].join(", ");
    console.log(`${name}: ${rows}${left ? ` (${left})` : ""}`);
  }
  const { copied, bytes, stayed, missing } = files;
  const what =
    stayed > 0 ? `${stayed} stay in the bucket` : `${copied} copied (${megabytes(bytes)})`;
  console.log(`files: ${what}, ${missing} missing`);
  if (overLimits.length > 0)
    console.log(
      `More words in filters than are looked for (the first 2,000; all are kept): ${overLimits.join(", ")}`,
    );
  console.log(`Pass ${pass} is finished.`);
};

type Answers = { compared: number; faults: string[] };

const shortened = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};

const compareApi = async (app: App, { token = [], api }: ImportOptions): Promise<Answers> => {
  if (!api) return { compared: 0, faults: [] };
  return withBoth(app, api, async (both) => {
    const answers: Answers = { compared: 0, faults: [] };
    for (const each of token) {
      const { compared, faults } = await compareFor(each, both);
      answers.compared += compared;
      for (const { path, member, before, now } of faults)
        answers.faults.push(`${path}${member}: ${shortened(before)}, now ${shortened(now)}`);
    }
    return answers;
  });
};

const printFaults = (faults: string[]): void => {
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(fault);
};

const check = async (app: App, from: From, options: ImportOptions): Promise<void> => {
  const { counted, ...rows } = await checkImport(app, from);
  const answers = await compareApi(app, options);
  if (options.json) return printJson({ counted, ...rows, answers });
  printFaults(rows.faults);
  printFaults(answers.faults);
  console.log(`${number(counted)} tables counted.`);
  console.log(`${number(rows.compared)} rows compared, ${number(rows.faults.length)} differ.`);
  if (answers.compared > 0)
    console.log(
      `${number(answers.compared)} answers compared, ${number(answers.faults.length)} differ.`,
    );
  if (rows.faults.length + answers.faults.length > 0)
    throw new ConfigError("The import is not what the other server has now.");
};

const runImport = async (app: App, from: From, { json }: ImportOptions): Promise<void> => {
  const line = progressLine();
  const { rows: all } = await planImport(from.old, null);
  const began = performance.now();
  let taken = 0;
  const moved = await moveIn(app, from, (step, rows) => {
    taken += rows;
    const rate = taken / ((performance.now() - began) / 1000);
    const minutes = Math.ceil(Math.max(0, all - taken) / rate / 60);
    line.show(`${bar(taken, all, "rows")}  ${number(Math.round(rate))}/s, ${minutes} min: ${step}`);
  });
  line.clear();
  if (json) printJson(moved);
  else printMoved(moved);
};

/** Refuses options that only work together: one without effect would look like a comparison. */
const checkOptions = ({ check: isCheck, token = [], api }: ImportOptions): void => {
  if (token.length > 0 && !api)
    throw new ConfigError("--token needs --api: where the other server listens.");
  if (api && token.length === 0)
    throw new ConfigError("--api needs --token: of apps of people, whose answers are compared.");
  if (api && !isCheck) throw new ConfigError("--api and --token belong to --check.");
};

export const importMastodon = async (options: ImportOptions): Promise<void> => {
  checkOptions(options);
  const env = readOldEnv(options.env);
  const config = readConfig(readEnvironment());
  refuseOtherServer(config.site, env);
  const media = openOldMedia(config, env, options.media);
  const old = await connectOld(options.database);
  const from = { old, env, media };
  try {
    if (options.dryRun) {
      const plan = await planImport(old, media);
      return options.json ? printJson(plan) : printPlan(plan, media);
    }
    if (env.vapid) adoptVapid(config.dataDir, config.givenSecrets, env.vapid);
    // A server that is only compared listens on loopback, so that nobody else finds it.
    const quiet = { ...config, http: { ...config.http, bind: "127.0.0.1", port: 0 } };
    withSecrets(quiet);
    const work = options.check ? check : runImport;
    const target = await openNewDatabase(quiet);
    await withAppOn(quiet, target, async (app) => {
      await migrate(app.sql, target.url);
      await work(app, from, options);
    });
  } finally {
    media.files.close();
    await old.end();
  }
};
