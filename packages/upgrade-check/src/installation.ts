// An installation as an upgrade finds it: a service of systemd that starts what a link leads to, or what a Debian
// package has installed, and the next version beside that.

import { spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { askByName, ConfigError, readConfig, readEnvironment } from "./uses.ts";
import type { Config } from "./uses.ts";

export type Ended = { code: number | null; out: string };

export type Service = { start(): Promise<void>; stop(): Promise<void> };

export type Installation = {
  /** Folders with the programs of the present and of the next version. */
  former: string;
  next: string;
  /** Has the service start the next version, or the former one again. */
  place(): Promise<void>;
  putBack(): Promise<void>;
  /** Removes what only the upgrade needs. */
  clear(): void;
  dataDir: string;
  /** Whether the database is in DATA_DIR: no other one can be kept as it was. */
  isEmbedded: boolean;
  backupTo: string;
  /** Whether the server says that it serves. */
  isReady(): Promise<boolean>;
  waitMs: number;
  service: Service;
  /** Runs a command of the version in a folder. */
  rookery(folder: string, ...words: string[]): Promise<Ended>;
  /** Copies a folder with all owners and times. */
  copy(from: string, to: string): Promise<void>;
};

type Account = { uid?: number; gid?: number };

/** Runs a program; what it complains of is seen at once. */
const run = (program: string, words: string[], account: Account = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"], ...account });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out }));
  });

/** Throws ConfigError where a command fails. */
export const succeed = async (ending: Promise<Ended>, what: string): Promise<string> => {
  const { code, out } = await ending;
  if (code !== 0) throw new ConfigError(`${what} failed, with the exit code ${code}.`);
  return out;
};

const systemd = (unit: string): Service => {
  const control = async (word: string, ...options: string[]): Promise<void> => {
    await succeed(run("systemctl", [word, ...options, unit]), `systemctl ${word} ${unit}`);
  };
  return {
    // It would wait for the server, which may never be ready.
    start: () => control("start", "--no-block"),
    stop: () => control("stop"),
  };
};

const requireUnit = async (unit: string): Promise<void> => {
  const words = ["show", "--property", "LoadState", "--value", unit];
  const { out } = await run("systemctl", words).catch(() => ({ out: "" }));
  if (out.trim() === "loaded") return;
  throw new ConfigError(
    `systemd has no service “${unit}”, which has to be stopped and started: name it with --service.`,
  );
};

/** Returns the folder of the running program. */
const ownFolder = (): string => dirname(dirname(process.argv[1]!)).replace(/\/dist$/, "");

/** Returns the link beside a folder that leads to it; throws ConfigError where there is not one alone. */
export const findLink = (folder: string): string => {
  const beside = dirname(folder);
  const links = readdirSync(beside)
    .map((name) => join(beside, name))
    .filter((path) => lstatSync(path).isSymbolicLink())
    .filter((path) => existsSync(path) && realpathSync(path) === folder);
  if (links.length === 1) return links[0]!;
  throw new ConfigError(
    `No link leads to ${folder}, or several do: make one beside it (ln -s ${basename(folder)} ${join(beside, "current")}), which the service starts, or name it with --link.`,
  );
};

/** Makes the link lead to another folder, at once: there is no moment without it. */
const replaceLink = (link: string, folder: string): void => {
  const fresh = `${link}.new`;
  rmSync(fresh, { force: true });
  symlinkSync(folder, fresh);
  renameSync(fresh, link);
};

/** Unpacks an archive of a version beside the present one; a folder stays where it is. */
const unpacked = async (next: string, beside: string): Promise<string> => {
  if (statSync(next).isDirectory()) return realpathSync(next);
  if (!/\.tar(?:\.\w+)?$/.test(next))
    throw new ConfigError(`${next} is neither the folder of a version nor its archive (.tar.xz).`);
  await succeed(run("tar", ["-xf", resolve(next), "-C", beside]), "tar");
  return join(beside, basename(next).replace(/\.tar(?:\.\w+)?$/, ""));
};

/** Throws ConfigError where the folder of the present version has what the next one needs. */
const refuseDataIn = (former: string, { dataDir }: Config): void => {
  if (!`${dataDir}/`.startsWith(`${former}/`)) return;
  throw new ConfigError(
    `DATA_DIR is in ${former}, which is replaced: stop the server, move ${dataDir} elsewhere, and set DATA_DIR.`,
  );
};

/** Settings that are in the folder of the present version are those of the next one. */
const carrySettings = (former: string, next: string): void => {
  const [from, to] = [join(former, ".env"), join(next, ".env")];
  if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
};

type Versions = Pick<Installation, "former" | "next" | "place" | "putBack" | "clear">;

const byLink = async (
  source: string,
  named: string | undefined,
  config: Config,
): Promise<Versions> => {
  const link = named ? resolve(named) : findLink(realpathSync(ownFolder()));
  const former = realpathSync(link);
  refuseDataIn(former, config);
  const next = await unpacked(source, dirname(former));
  if (!existsSync(join(next, "bin/rookery")))
    throw new ConfigError(`${next} is not the folder of a version: it has no bin/rookery.`);
  carrySettings(former, next);
  return {
    former,
    next,
    place: async () => replaceLink(link, next),
    putBack: async () => replaceLink(link, former),
    clear() {},
  };
};

/** Where the Debian package has its programs. */
const OF_PACKAGE = "usr/lib/rookery";

const byPackage = async (source: string, former: string | undefined): Promise<Versions> => {
  if (former === undefined)
    throw new ConfigError("Name the package of the present version with --back-to, to go back.");
  if (!existsSync(former)) throw new ConfigError(`There is no ${former}.`);
  const folder = mkdtempSync(join(tmpdir(), "rookery-next-"));
  // Its commands are run by the user of the service.
  chmodSync(folder, 0o755);
  await succeed(run("dpkg-deb", ["-x", source, folder]), "dpkg-deb");
  const install = async (path: string): Promise<void> => {
    await succeed(run("dpkg", ["--install", path]), "dpkg");
  };
  return {
    former: ownFolder(),
    next: join(folder, OF_PACKAGE),
    place: () => install(source),
    putBack: () => install(former),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Commands are run as who owns the data, also where root upgrades. */
const accountOf = ({ dataDir }: Config): Account => {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = statSync(dataDir);
  return { uid, gid };
};

export type InstallationOptions = {
  link?: string;
  service: string;
  backupTo?: string;
  backTo?: string;
  wait: number;
};

export const findInstallation = async (
  source: string,
  { link, service, backupTo, backTo, wait }: InstallationOptions,
): Promise<Installation> => {
  const config = readConfig(readEnvironment());
  if (!existsSync(source)) throw new ConfigError(`There is no ${source}.`);
  const to = backupTo ?? config.backup.to;
  if (to === null) throw new ConfigError("Say where the backup goes: --backup-to, or BACKUP_TO.");
  await requireUnit(service);
  const versions = source.endsWith(".deb")
    ? await byPackage(source, backTo)
    : await byLink(source, link, config);
  const account = accountOf(config);
  const { bind, port } = config.http;
  const isEverywhere = bind === "0.0.0.0" || bind === "::";
  const host = isEverywhere ? "127.0.0.1" : bind.includes(":") ? `[${bind}]` : bind;
  return {
    ...versions,
    dataDir: config.dataDir,
    isEmbedded: config.database.url === null,
    backupTo: to,
    isReady: () =>
      askByName(config.site, new URL(`http://${host}:${port}/readyz`), {}).then(
        ({ status }) => status === 200,
        () => false,
      ),
    waitMs: wait * 1000,
    service: systemd(service),
    rookery: (folder, ...words) => run(join(folder, "bin/rookery"), words, account),
    copy: async (from, place) => void (await succeed(run("cp", ["-a", from, place]), "cp")),
  };
};
