// Deletes old backups of a folder, and the media that no backup names any more.

import type { Files } from "./uses.ts";
import { inOrder, POOLS, readList } from "./media.ts";
import type { MediaList } from "./media.ts";
import { backupsIn, fileOf, listOf } from "./names.ts";
import type { Keys } from "./sealed.ts";

const DELETE_AT_ONCE = 500;

/** Yields the files of a pool that none of the remaining lists names. */
async function* unused(files: Files, pool: string, lists: MediaList[]): AsyncGenerator<string> {
  const named = lists.filter(({ head }) => head.pool === pool).map(({ media }) => inOrder(media));
  for await (const { key } of files.list(`${pool}/`)) {
    const own = key.slice(pool.length + 1);
    const files = await Promise.all(named.map((list) => list.at(own)));
    if (files.every((file) => file === null)) yield key;
  }
}

const deleteUnused = async (files: Files, names: string[], keys: Keys | null): Promise<void> => {
  const lists: MediaList[] = [];
  let batch: string[] = [];
  try {
    for (const name of names) lists.push(await readList(files, listOf(name), keys));
    for (const pool of POOLS) {
      for await (const key of unused(files, pool, lists)) {
        batch.push(key);
        if (batch.length < DELETE_AT_ONCE) continue;
        await files.delete(batch);
        batch = [];
      }
    }
  } finally {
    for (const { media } of lists) await media.return(undefined);
  }
  await files.delete(batch);
};

/** Keeps the `keep` newest backups and returns the names of those it deleted. Files that belong to no backup stay. */
export const pruneBackups = async (
  files: Files,
  keep: number,
  keys: Keys | null,
): Promise<string[]> => {
  const { whole, broken } = await backupsIn(files);
  const kept = whole.slice(-keep);
  const newest = kept.at(-1) ?? "";
  // A broken backup that is newer than the newest whole one may still be in progress.
  const gone = [...whole.slice(0, -keep), ...broken.filter((name) => name < newest)];
  await files.delete(gone.flatMap((name) => [listOf(name), fileOf(name)]));
  await deleteUnused(files, kept, keys);
  return gone;
};
