// The steps of a set-up: what each asks on a terminal, and how the answers are tried.

import type { Env } from "./uses.ts";
import { checkBackup, checkMail, checkNames, checkStorage } from "./checks.ts";
import type { SetupCheck } from "./checks.ts";
import type { Dialog } from "./dialog.ts";
import type { Settings } from "./env-file.ts";

export type Step = {
  title: string;
  about: string;
  /** `current` has the settings so far. */
  ask(dialog: Dialog, current: Env): Promise<Settings>;
  check: SetupCheck;
};

/** Asks for one setting, and suggests its present value. */
const askFor = (
  dialog: Dialog,
  current: Env,
  name: string,
  question: string,
  { fallback = "", isSecret = false } = {},
): Promise<string> => dialog.ask(question, current[name] || fallback, { isSecret });

/** Answer that removes a setting. */
const NONE = "-";
const orNone = (answer: string): string => (answer === NONE ? "" : answer);

export const DOMAIN: Step = {
  title: "Domain",
  about:
    "People on your server will be @name@DOMAIN. Choose carefully: later it takes a move that all other servers are told of.",
  async ask(dialog, current) {
    for (;;) {
      const domain = await askFor(dialog, current, "LOCAL_DOMAIN", "Domain");
      if (domain !== "") return { LOCAL_DOMAIN: domain };
      dialog.say("  ✗ A server needs a domain.");
    }
  },
  check: checkNames,
};

const askLogin = async (dialog: Dialog, current: Env): Promise<Settings> => {
  const login = orNone(await askFor(dialog, current, "SMTP_LOGIN", "User name"));
  if (login === "") return { SMTP_LOGIN: "", SMTP_PASSWORD: "" };
  const password = await askFor(dialog, current, "SMTP_PASSWORD", "Password", { isSecret: true });
  return { SMTP_LOGIN: login, SMTP_PASSWORD: password };
};

const TLS_PORT = "465";

/** Returns the TLS setting that follows from the port, so that it is not asked for. */
export const withTls = (port: string): Settings => ({
  SMTP_PORT: port,
  SMTP_TLS: port === TLS_PORT ? "true" : "",
});

export const MAIL: Step = {
  title: "Mail",
  about:
    "New members confirm their address by mail, and whoever forgets a password gets a new one by mail. Without a mail server, mails are only written to a folder; - turns it off.",
  async ask(dialog, current) {
    const server = orNone(await askFor(dialog, current, "SMTP_SERVER", "Mail server"));
    if (server === "") return { SMTP_SERVER: "" };
    const port = await askFor(dialog, current, "SMTP_PORT", "Port", { fallback: "587" });
    const login = await askLogin(dialog, current);
    const fallback = `notifications@${current["LOCAL_DOMAIN"]}`;
    const from = await askFor(dialog, current, "SMTP_FROM_ADDRESS", "Sender", { fallback });
    const sender = { SMTP_FROM_ADDRESS: from === fallback ? "" : from };
    return { SMTP_SERVER: server, ...withTls(port), ...login, ...sender };
  },
  check: checkMail,
};

const askBucket = async (dialog: Dialog, current: Env): Promise<Settings> => {
  const bucket = await askFor(dialog, current, "S3_BUCKET", "Bucket");
  const endpoint = await askFor(dialog, current, "S3_ENDPOINT", "Address of the service");
  const fallback = "us-east-1";
  const region = await askFor(dialog, current, "S3_REGION", "Region", { fallback });
  const id = await askFor(dialog, current, "AWS_ACCESS_KEY_ID", "Access key");
  const secret = await askFor(dialog, current, "AWS_SECRET_ACCESS_KEY", "Secret key", {
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
  title: "Pictures and videos",
  about:
    "They are stored on the disk of this machine, or in a bucket of a service that speaks S3. You can move them later.",
  async ask(dialog, current) {
    const kind = await dialog.ask("disk or s3", isBucket(current) ? "s3" : "disk");
    if (kind === "s3") return askBucket(dialog, current);
    return kind === "disk" ? onDisk(current) : { MEDIA_STORAGE: kind };
  },
  check: checkStorage,
};

export const BACKUP: Step = {
  title: "Backups",
  about:
    "Once a day everything is copied to a folder, best on another disk, or to a bucket (s3://bucket/folder). With a passphrase nobody else can read it: keep a copy of that somewhere else. - means none.",
  async ask(dialog, current) {
    const to = orNone(await askFor(dialog, current, "BACKUP_TO", "Folder or bucket"));
    const none: Settings = { BACKUP_TO: "" };
    if (to === "") return none;
    const secret = { isSecret: true };
    const passphrase = await askFor(dialog, current, "BACKUP_PASSPHRASE", "Passphrase", secret);
    return { BACKUP_TO: to, BACKUP_PASSPHRASE: orNone(passphrase) };
  },
  check: checkBackup,
};
