// Moves all files from one storage to another while the server reads both (platform/storage/both.ts). It can be
// interrupted and run again: it continues with the remaining files.

import { reasonOf } from "../uses.ts";
import type { Storage } from "../uses.ts";

type StoredFile = { key: string; size: number };

export type Moved = { files: number; bytes: number; failed: string[] };

const AT_ONCE = 4;
const FAULTS_SHOWN = 20;

const moveOne = async (from: Storage, to: Storage, { key, size }: StoredFile): Promise<void> => {
  const file = await from.open(key);
  if (!file) return;
  await to.put(key, file.stream).finally(() => file.stream.destroy());
  const there = await to.stat(key);
  if (there?.size !== size) throw new Error(`has ${there?.size} bytes there and ${size} here`);
  // The file was deleted while it was copied.
  if (!(await from.stat(key))) await to.delete([key]);
  await from.delete([key]);
};

/** Calls `onProgress` after each file. */
export const moveFiles = async (
  from: Storage,
  to: Storage,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (moved: Moved) => void },
): Promise<Moved> => {
  const moved: Moved = { files: 0, bytes: 0, failed: [] };
  const files = from.list()[Symbol.asyncIterator]();
  const work = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) {
      const { key, size } = next.value;
      try {
        if (!dryRun) await moveOne(from, to, next.value);
        moved.files += 1;
        moved.bytes += size;
      } catch (error) {
        if (moved.failed.length === FAULTS_SHOWN) throw error;
        moved.failed.push(`${key}: ${reasonOf(error)}`);
      }
      onProgress(moved);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return moved;
};
