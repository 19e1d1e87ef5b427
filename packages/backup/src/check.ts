// Reads a whole backup before anything is restored from it, to check that it is complete, belongs to this server, and
// fits this version.

import { readFile } from "node:fs/promises";
import { ConfigError, isHttpsDefault, reasonOf, says } from "./uses.ts";
import type { Config, Secrets, SiteNames } from "./uses.ts";
import { damaged, readAll, readArchive } from "./archive.ts";
import type { ArchiveEntry } from "./archive.ts";
import type { End, Manifest } from "./create.ts";
import { inOrder, readList, sizeInPool } from "./media.ts";
import type { MediaList } from "./media.ts";
import { backupsIn, fileOf, listBeside } from "./names.ts";
import { noBackup, readFrom } from "./place.ts";
import type { Place } from "./place.ts";
import { createKeys, type Keys } from "./sealed.ts";

export type Source = { place: Place; name: string; shown: string; keys: Keys | null };

type Unpacked = { database: number; media: number };

export type Checked = {
  source: Source;
  manifest: Manifest;
  secrets: Secrets;
  bytes: number;
  /** Bytes of everything in the backup and of the media beside it. */
  unpacked: Unpacked;
  /** Keys of media that the list names, and that are missing or changed. */
  missing: string[];
};

/** Finds the backup at a place; in a folder, the newest one. */
export const findSource = async (place: Place, passphrase: string | null): Promise<Source> => {
  const keys = passphrase === null ? null : createKeys(passphrase);
  if (place.name !== null) {
    if (!(await place.files.stat(place.name))) throw noBackup(place.shown);
    return { place, name: place.name, shown: place.shown, keys };
  }
  const newest = (await backupsIn(place.files)).whole.at(-1);
  if (newest === undefined)
    throw new ConfigError(says("reason.backup.none", { place: place.shown }));
  const name = fileOf(newest);
  return { place, name, shown: `${place.shown.replace(/\/$/, "")}/${name}`, keys };
};

export const entriesOf = ({ place, name, shown, keys }: Source): AsyncGenerator<ArchiveEntry> =>
  readArchive(readFrom(place.files, name, shown), keys, shown);

/** Opens the list of the media beside a backup; null when the backup contains its media. */
export const openList = async (source: Source, manifest: Manifest): Promise<MediaList | null> => {
  if (manifest.media === "inside") return null;
  const list = listBeside(source.name);
  if (list === null || !(await source.place.files.stat(list))) {
    throw new ConfigError(
      `The media of ${source.shown} are in the folder that it was made in: restore it from there, under its name.`,
    );
  }
  return readList(source.place.files, list, source.keys);
};

const missingMedia = async (
  source: Source,
  manifest: Manifest,
  unpacked: Unpacked,
): Promise<string[]> => {
  const list = await openList(source, manifest);
  if (!list) return [];
  const { pool } = list.head;
  const there = inOrder(source.place.files.list(`${pool}/`));
  const keys = pool === "media" ? null : source.keys;
  const missing: string[] = [];
  for await (const { key, size } of list.media) {
    const stored = await there.at(`${pool}/${key}`);
    unpacked.media += size;
    if (stored?.size !== sizeInPool(keys, size)) missing.push(key);
  }
  await there.close();
  return missing;
};

const parse = async <T>(entry: ArchiveEntry, shown: string): Promise<T> => {
  try {
    return JSON.parse((await readAll(entry.content)).toString()) as T;
  } catch (error) {
    throw error instanceof SyntaxError ? damaged(shown) : error;
  }
};

/** Checks all of a backup; throws ConfigError with one sentence for the first part that is missing or damaged. */
export const checkBackup = async (source: Source): Promise<Checked> => {
  const { shown } = source;
  let manifest: Manifest | null = null;
  let secrets: Secrets | null = null;
  let end: End | null = null;
  let count = 0;
  const unpacked: Unpacked = { database: 0, media: 0 };
  for await (const entry of entriesOf(source)) {
    unpacked[entry.name.startsWith("media/") ? "media" : "database"] += entry.size;
    if (entry.name === "end.json") end = await parse<End>(entry, shown);
    else count += 1;
    if (entry.name === "manifest.json") manifest = await parse<Manifest>(entry, shown);
    else if (entry.name === "secrets.json") secrets = await parse<Secrets>(entry, shown);
    else for await (const chunk of entry.content) void chunk;
  }
  if (!manifest || !secrets || end?.entries !== count) throw damaged(shown);
  if (manifest.format !== 1) {
    throw new ConfigError(`${shown} was made by a newer version of Rookery: restore it with that.`);
  }
  const bytes = (await source.place.files.stat(source.name))?.size ?? 0;
  const missing = await missingMedia(source, manifest, unpacked);
  return { source, manifest, secrets, bytes, unpacked, missing };
};

/**
 * Returns the domain names of the backed-up server, or null if they are not known. Versions that stored no names took
 * them from the environment of the command, where they were often not set.
 */
export const namesOf = ({ manifest }: Checked): SiteNames | null => {
  const { local_domain: localDomain, web_domain: webDomain, variables, tables } = manifest;
  const isStored = tables.some(({ name }) => name === "site");
  if (!isStored && !variables.includes("LOCAL_DOMAIN")) return null;
  return { localDomain, webDomain, https: manifest.https ?? isHttpsDefault(webDomain) };
};

/** Domain names are part of every address: with other names this would be another server. */
const checkNames = (checked: Checked, { site }: Config): void => {
  const { manifest, source } = checked;
  if (!namesOf(checked)) return;
  const names = [
    ["LOCAL_DOMAIN", manifest.local_domain, site.localDomain],
    ["WEB_DOMAIN", manifest.web_domain, site.webDomain],
  ] as const;
  for (const [variable, theirs, ours] of names) {
    if (theirs === ours) continue;
    throw new ConfigError(
      `${source.shown} is a backup of ${theirs}, and this server is ${ours}: set ${variable}=${theirs}.`,
    );
  }
};

const checkSecrets = ({ secrets }: Checked, { givenSecrets: fromEnv }: Config): void => {
  const others = [
    ["SECRET_KEY_BASE", fromEnv.secretKeyBase, secrets.keyBase],
    ["VAPID_PUBLIC_KEY", fromEnv.vapidPublicKey, secrets.vapid.publicKey],
    ["VAPID_PRIVATE_KEY", fromEnv.vapidPrivateKey, secrets.vapid.privateKey],
  ] as const;
  const other = others.find(([, ours, theirs]) => ours !== null && ours !== theirs);
  if (other) {
    throw new ConfigError(
      `${other[0]} is not the one of the backup, whose sessions and passkeys would be lost: remove it, and the one of the backup is used.`,
    );
  }
};

/** Throws ConfigError when the backup belongs to another server. */
export const checkServer = (checked: Checked, config: Config): void => {
  checkNames(checked, config);
  checkSecrets(checked, config);
};

/** Reads the passphrase from a file and drops the line break at its end. */
export const readPassphrase = async (path: string): Promise<string> => {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new ConfigError(`The passphrase cannot be read from ${path}: ${reasonOf(error, path)}.`);
  });
  const passphrase = text.replace(/\r?\n$/, "");
  if (passphrase === "") throw new ConfigError(`The file ${path} is empty.`);
  return passphrase;
};
