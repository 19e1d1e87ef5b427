// The command `rookery setup`.

import {
  ConfigError,
  DomainError,
  checkDatabase,
  connect,
  formErrorText,
  hasDatabase,
  keepSiteNames,
  migrate,
  openDatabase,
  openNewDatabase,
  readConfig,
  readEnvironment,
  readVariables,
  says,
  selectSiteNames,
  spoken,
  terminalLocale,
  textsIn,
  withAppOn,
  withNames,
  withSecrets,
} from "./uses.ts";
import type { App, Config, Env, Opened, SiteNames, Texts } from "./uses.ts";
import { openDialog } from "./dialog.ts";
import type { Dialog, Streams } from "./dialog.ts";
import type { Settings } from "./env-file.ts";
import { runSetup } from "./setup.ts";
import type { Lookup } from "./checks.ts";
import { onDisk, withTls } from "./steps.ts";
import { makeAccount } from "../../administration/src/index.ts";
import { lookUp } from "../../doctor/src/index.ts";

type SetupOptions = {
  yes?: boolean;
  checks?: boolean;
  domain?: string;
  smtpServer?: string;
  smtpPort?: string;
  smtpLogin?: string;
  smtpFrom?: string;
  storage?: "disk" | "s3";
  s3Bucket?: string;
  s3Endpoint?: string;
  s3Region?: string;
  backupTo?: string;
  owner?: string;
  ownerEmail?: string;
};

/** Settings that are not options, since every user of the machine can see those. */
const SECRETS = [
  "SMTP_PASSWORD",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "BACKUP_PASSPHRASE",
];

const settingsOf = (options: SetupOptions, current: Env): Settings => {
  const environment = readVariables();
  const chosen: Record<string, string | undefined> = {
    LOCAL_DOMAIN: options.domain,
    SMTP_SERVER: options.smtpServer,
    SMTP_LOGIN: options.smtpLogin,
    SMTP_FROM_ADDRESS: options.smtpFrom,
    S3_BUCKET: options.s3Bucket,
    S3_ENDPOINT: options.s3Endpoint,
    S3_REGION: options.s3Region,
    BACKUP_TO: options.backupTo,
    ...Object.fromEntries(SECRETS.map((name) => [name, environment[name]])),
    ...(options.smtpPort !== undefined && withTls(options.smtpPort)),
    ...(options.storage === "disk" && onDisk(current)),
    ...(options.storage === "s3" && { MEDIA_STORAGE: "s3" }),
  };
  const set = Object.entries(chosen).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Settings;
};

/** Opens an existing database; null if there is none yet. */
const openPresent = async (config: Config): Promise<Opened | null> =>
  config.database.url || hasDatabase(config.dataDir) ? openDatabase(config) : null;

const storedNames = async (current: Env): Promise<SiteNames | null> => {
  const database = await openPresent(readConfig(current));
  if (!database) return null;
  const sql = connect(database.url, { max: 1, application: "rookery setup" });
  try {
    await checkDatabase(sql, database.url);
    return await selectSiteNames(sql);
  } finally {
    await sql.end({ timeout: 5 });
    await database.stop();
  }
};

/** Runs `work` on the database of the new server, which is created if it does not exist. */
const withServer = async <T>(env: Env, work: (app: App) => Promise<T>): Promise<T> => {
  const config = readConfig(env);
  withSecrets(config);
  const database = (await openPresent(config)) ?? (await openNewDatabase(config));
  return withAppOn(config, database, async (app) => {
    await migrate(app.sql, database.url);
    await keepSiteNames(app.sql, config.site);
    return work(app);
  });
};

const makeOwner = async (env: Env, username: string, email: string): Promise<string> =>
  withServer(env, async (app) => {
    const { password } = await makeAccount(app, username, {
      email,
      confirmed: true,
      role: "Owner",
    });
    return password;
  });

type Owner = { username: string; password: string };

/** Asks for the owner; null if nobody is named, so that the first start prints a link. */
const askOwner = async (dialog: Dialog, { t }: Texts, env: Env): Promise<Owner | null> => {
  dialog.say(`\n${t("setup.owner")}`);
  dialog.say(`  ${t("setup.owner.about")}`);
  for (;;) {
    const username = await dialog.ask("setup.owner.name");
    if (username === "") return null;
    const email = await dialog.ask("setup.owner.email");
    try {
      return { username, password: await makeOwner(env, username, email) };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      dialog.refuse(formErrorText(t, error));
    }
  }
};

const ownerByOptions = async (
  { owner, ownerEmail }: SetupOptions,
  env: Env,
): Promise<Owner | null> => {
  if (owner === undefined || ownerEmail === undefined) return null;
  return { username: owner, password: await makeOwner(env, owner, ownerEmail) };
};

const sayEnd = (say: (text: string) => void, texts: Texts, owner: Owner | null): void => {
  const { t } = texts;
  if (owner) {
    const { username: name, password } = owner;
    say(`\n${t("setup.owner.made", { name, password })}`);
  }
  say(`\n${spoken(texts, says("setup.next"))}`);
  if (!owner) say(t("setup.link"));
};

const checkOptions = (
  { yes, owner, ownerEmail }: SetupOptions,
  { t }: Texts,
  isTerminal: boolean,
): void => {
  if (!yes && !isTerminal) throw new ConfigError(t("setup.no_terminal"));
  if ((owner === undefined) !== (ownerEmail === undefined))
    throw new ConfigError(t("setup.owner.both"));
};

/** The terminal, null without one, and the resolver of host names; tests use others. */
export type Around = { streams: Streams | null; lookup: Lookup };

const around = (): Around => ({
  streams:
    process.stdin.isTTY && process.stdout.isTTY
      ? { input: process.stdin, output: process.stdout }
      : null,
  lookup: lookUp,
});

const ENV_FILE = ".env";

export const setupCommand = async (
  options: SetupOptions,
  { streams, lookup: addresses }: Around = around(),
): Promise<void> => {
  const texts = textsIn(terminalLocale(readVariables()));
  checkOptions(options, texts, streams !== null);
  const dialog = options.yes || !streams ? null : openDialog(streams, texts);
  const say = (text: string) => (dialog ? dialog.say(text) : console.log(text));
  try {
    const environment = readEnvironment();
    const names = await storedNames(environment);
    const current = names ? withNames(environment, names) : environment;
    const chosen = settingsOf(options, current);
    if (dialog) say(texts.t("setup.hint"));
    const env = await runSetup({
      dialog,
      say,
      texts,
      current: { ...current, ...chosen },
      chosen,
      names,
      lookup: addresses,
      isChecked: options.checks ?? true,
      path: ENV_FILE,
    });
    const isAsked = dialog !== null && options.owner === undefined && names === null;
    const owner = isAsked ? await askOwner(dialog, texts, env) : await ownerByOptions(options, env);
    sayEnd(say, texts, owner);
  } finally {
    dialog?.close();
  }
};
