// Reads the files of the other server in its folder or bucket; nothing is written there.

import { statSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, diskFiles, OLD_FOLDERS, partsOfOldPath, s3Files } from "./uses.ts";
import type { Config, Files, S3Options } from "./uses.ts";
import type { OldEnv } from "./env.ts";

export type OldMedia = {
  files: Files;
  /** Folder on this machine; null if the files are in a bucket. */
  folder: string | null;
  /** True when the bucket is also this server's: the files stay where they are. */
  stays: boolean;
};

const isOldPath = (path: string): boolean => partsOfOldPath(path) !== null;

const inFolder = (folder: string): OldMedia => {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`There is no folder ${folder}: --media names that of the old files.`);
  return { files: diskFiles(folder, isOldPath), folder, stays: false };
};

type Place = S3Options & { folder: string };

const hostOf = ({ endpoint, region }: S3Options): string =>
  endpoint === null ? `s3.${region}.amazonaws.com` : new URL(endpoint).host;

const isSamePlace = (a: Place, b: Place): boolean =>
  a.bucket === b.bucket && a.folder === b.folder && hostOf(a) === hostOf(b);

/** Returns the bucket as the old env file describes it, else as this server's settings do. */
const placeOf = (url: string, { storage }: Config, env: OldEnv): Place => {
  const [, bucket, rest = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]*)(\/.*)?$/.exec(url) ?? [];
  if (!bucket) throw new ConfigError(`--media must be a folder or s3://bucket/folder, not ${url}.`);
  const named = rest.replace(/^\/+|\/+$/g, "");
  const old = env.bucketNamed(bucket);
  if (old) return { ...old, folder: named || old.folder };
  if (!storage.s3) {
    throw new ConfigError(
      `The old env file has no S3_BUCKET=${bucket}, and this server has no S3_ settings: nothing says how to reach ${url}.`,
    );
  }
  return { ...storage.s3, bucket, folder: named };
};

/** `media` is a folder, or s3://bucket/folder. */
export const openOldMedia = (config: Config, env: OldEnv, media: string): OldMedia => {
  if (!media.startsWith("s3://")) return inFolder(media);
  const place = placeOf(media, config, env);
  const { s3, main } = config.storage;
  return {
    files: s3Files(place, isOldPath, place.folder),
    folder: null,
    stays: main === "s3" && s3 !== null && isSamePlace(place, s3),
  };
};

/** Returns what `put` takes; null if there is no such file. */
export const sourceOf = async ({ files, folder }: OldMedia, path: string) =>
  folder === null ? ((await files.open(path))?.stream ?? null) : join(folder, path);

/** Returns the bytes of all files that may be copied. */
export const bytesOf = async ({ files, stays }: OldMedia): Promise<number> => {
  let bytes = 0;
  for (const folder of stays ? [] : OLD_FOLDERS)
    for await (const { size } of files.list(`${folder}/`)) bytes += size;
  return bytes;
};
