// Refuses backups among the media, which are moved, deleted and shown to everybody.

import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ConfigError } from "../errors.ts";

/** Resolves links, also in a path of which only the beginning exists. */
const realPath = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
};

const isWithin = (path: string, folder: string): boolean =>
  `${realPath(path)}/`.startsWith(`${realPath(folder)}/`);

type MediaPlaces = { dataDir: string; storage: { s3: { bucket: string } | null } };

/**
 * Throws ConfigError where a backup would lie among the media: their bucket or folder is often public, and backups
 * contain keys and private posts.
 */
export const refuseMediaTarget = (target: string, { dataDir, storage }: MediaPlaces): void => {
  const { bucket } = storage.s3 ?? {};
  if (target.startsWith("s3://")) {
    if (bucket === undefined || target.slice("s3://".length).split("/")[0] !== bucket) return;
    throw new ConfigError(
      `${target} is in the bucket of the media (S3_BUCKET), where anybody may be able to read it: choose another bucket for backups.`,
    );
  }
  const media = join(dataDir, "media");
  // A folder of backups has its media in a folder of the same name.
  const folders = [resolve(target), resolve(target, "media")];
  if (!folders.some((folder) => isWithin(folder, media))) return;
  throw new ConfigError(
    `${target} would mix with the media in ${media}, where anybody may be able to read it: choose a folder outside of DATA_DIR for backups.`,
  );
};
