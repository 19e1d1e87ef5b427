// A place for backups is one file, or a folder of backups that share their media; on this machine or in a bucket
// (s3://bucket/folder/).

import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { ConfigError, diskFiles, reasonOf, refuseMediaTarget, s3Files } from "./uses.ts";
import type { Config, Files, KeyRule, S3Options } from "./uses.ts";
import type { Bytes } from "./sealed.ts";

type S3Service = Omit<S3Options, "bucket">;

export type Place = {
  files: Files;
  /** Name of the single file, or null for a folder of backups. */
  name: string | null;
  /** The address as the administrator wrote it. */
  shown: string;
};

/** Accepts only names that cannot leave the folder. */
const isName: KeyRule = (key) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(key);

/** File mode. Backups hold keys, so only their owner may read them. */
const PRIVATE = 0o600;

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

const isFolder = (path: string): boolean =>
  path.endsWith("/") || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

const inBucket = (address: string, service: S3Service): Place => {
  const [, bucket, path = ""] = BUCKET.exec(address) ?? [];
  if (bucket === undefined || (path !== "" && !isName(path.replace(/\/$/, "")))) {
    throw new ConfigError(`${address} is not an address such as s3://bucket/folder/.`);
  }
  const isWhole = path === "" || path.endsWith("/");
  const folder = isWhole ? path.replace(/\/$/, "") : dirname(path).replace(/^\.$/, "");
  const files = s3Files({ ...service, bucket }, isName, folder);
  return { files, name: isWhole ? null : basename(path), shown: address };
};

/**
 * Opens a place. An address that ends with a slash, and an existing folder, holds many backups; any other address is
 * one file.
 */
export const openPlace = (address: string, service: S3Service): Place => {
  if (address.startsWith("s3://")) return inBucket(address, service);
  if (isFolder(address))
    return { files: diskFiles(resolve(address), isName, PRIVATE), name: null, shown: address };
  const name = basename(address);
  if (!isName(name)) {
    throw new ConfigError(
      `"${name}" cannot be the name of a backup: use letters, digits, - and _.`,
    );
  }
  return { files: diskFiles(dirname(resolve(address)), isName, PRIVATE), name, shown: address };
};

/**
 * Opens the place of a new backup by an absolute address, which is the same in every working directory. Throws
 * ConfigError for a place among the media.
 */
export const openTarget = (address: string, config: Config): Place => {
  refuseMediaTarget(address, config);
  const isPath = !address.startsWith("s3://");
  const target = isPath ? resolve(address) + (address.endsWith("/") ? "/" : "") : address;
  return openPlace(target, config.backup.service);
};

export const noBackup = (shown: string): ConfigError =>
  new ConfigError(`There is no backup ${shown}.`);

/** Yields the bytes of a file; throws ConfigError when it does not exist or cannot be read. */
export async function* readFrom(files: Files, name: string, shown: string): AsyncGenerator<Buffer> {
  let stream: Readable | null = null;
  try {
    const file = await files.open(name);
    if (!file) throw noBackup(shown);
    stream = file.stream;
    yield* stream as Bytes;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${shown} cannot be read: ${reasonOf(error)}.`);
  } finally {
    stream?.destroy();
  }
}
