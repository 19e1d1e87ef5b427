// The steps of a set-up: what each asks on a terminal, and how the answers are tried.

import { says } from "./uses.ts";
import type { Env, Key } from "./uses.ts";
import { checkBackup, checkMail, checkNames, checkStorage } from "./checks.ts";
import type { SetupCheck } from "./checks.ts";
import type { Dialog } from "./dialog.ts";
import type { Settings } from "./env-file.ts";

export type Step = {
  title: Key;
  about: Key;
  /** `current` has the settings so far. */
  ask(dialog: Dialog, current: Env): Promise<Settings>;
  check: SetupCheck;
};

/** Asks for one setting, and suggests its present value. */
const askFor = (
  dialog: Dialog,
  current: Env,
  name: string,
  question: Key,
  { fallback = "", isSecret = false } = {},
): Promise<string> => dialog.ask(question, current[name] || fallback, { isSecret });

/** Answer that removes a setting. */
const NONE = "-";
const orNone = (answer: string): string => (answer === NONE ? "" : answer);

export const DOMAIN: Step = {
  title: "setup.domain",
  about: "setup.domain.about",
  async ask(dialog, current) {
    for (;;) {
      const domain = await askFor(dialog, current, "LOCAL_DOMAIN", "setup.domain");
      if (domain !== "") return { LOCAL_DOMAIN: domain };
      dialog.refuse(says("setup.domain.needed"));
    }
  },
  check: checkNames,
};

const askLogin = async (dialog: Dialog, current: Env): Promise<Settings> => {
  const login = orNone(await askFor(dialog, current, "SMTP_LOGIN", "setup.mail.login"));
  if (login === "") return { SMTP_LOGIN: "", SMTP_PASSWORD: "" };
  const secret = { isSecret: true };
  const password = await askFor(dialog, current, "SMTP_PASSWORD", "setup.mail.password", secret);
  return { SMTP_LOGIN: login, SMTP_PASSWORD: password };
};

const TLS_PORT = "465";

/** Returns the TLS setting that follows from the port, so that it is not asked for. */
export const withTls = (port: string): Settings => ({
  SMTP_PORT: port,
  SMTP_TLS: port === TLS_PORT ? "true" : "",
});

export const MAIL: Step = {
  title: "setup.mail",
  about: "setup.mail.about",
  async ask(dialog, current) {
    const server = orNone(await askFor(dialog, current, "SMTP_SERVER", "setup.mail.server"));
    if (server === "") return { SMTP_SERVER: "" };
    const port = await askFor(dialog, current, "SMTP_PORT", "setup.mail.port", { fallback: "587" });
    const login = await askLogin(dialog, current);
    const fallback = `notifications@${current["LOCAL_DOMAIN"]}`;
    const from = await askFor(dialog, current, "SMTP_FROM_ADDRESS", "setup.mail.from", {
      fallback,
    });
    const sender = { SMTP_FROM_ADDRESS: from === fallback ? "" : from };
    return { SMTP_SERVER: server, ...withTls(port), ...login, ...sender };
  },
  check: checkMail,
};

const askBucket = async (dialog: Dialog, current: Env): Promise<Settings> => {
  const bucket = await askFor(dialog, current, "S3_BUCKET", "setup.storage.bucket");
  const endpoint = await askFor(dialog, current, "S3_ENDPOINT", "setup.storage.endpoint");
  const fallback = "us-east-1";
  const region = await askFor(dialog, current, "S3_REGION", "setup.storage.region", { fallback });
  const id = await askFor(dialog, current, "AWS_ACCESS_KEY_ID", "setup.storage.key");
  const secret = await askFor(dialog, current, "AWS_SECRET_ACCESS_KEY", "setup.storage.secret", {
    isSecret: true,
  });
  return {
    MEDIA_STORAGE: "",
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region === fallback ? "" : region,
    AWS_ACCESS_KEY_ID: id,
    AWS_SECRET_ACCESS_KEY: secret,
  };
};

const isBucket = ({ MEDIA_STORAGE, S3_BUCKET }: Env): boolean =>
  MEDIA_STORAGE ? MEDIA_STORAGE === "s3" : Boolean(S3_BUCKET);

/** Stores media on disk; a configured bucket is still read. */
export const onDisk = (current: Env): Settings => ({
  MEDIA_STORAGE: current["S3_BUCKET"] ? "disk" : "",
});

export const STORAGE: Step = {
  title: "setup.storage",
  about: "setup.storage.about",
  async ask(dialog, current) {
    const kind = await dialog.ask("setup.storage.kind", isBucket(current) ? "s3" : "disk");
    if (kind === "s3") return askBucket(dialog, current);
    return kind === "disk" ? onDisk(current) : { MEDIA_STORAGE: kind };
  },
  check: checkStorage,
};

export const BACKUP: Step = {
  title: "setup.backup",
  about: "setup.backup.about",
  async ask(dialog, current) {
    const to = orNone(await askFor(dialog, current, "BACKUP_TO", "setup.backup.place"));
    const none: Settings = { BACKUP_TO: "" };
    if (to === "") return none;
    const secret = { isSecret: true };
    const question = "setup.backup.passphrase";
    const passphrase = await askFor(dialog, current, "BACKUP_PASSPHRASE", question, secret);
    return { BACKUP_TO: to, BACKUP_PASSPHRASE: orNone(passphrase) };
  },
  check: checkBackup,
};
