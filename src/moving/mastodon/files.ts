// The files of people here: copied once each. Those of other servers are fetched again when somebody looks at them.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../platform/app.ts";
import { movedKey } from "../../domain/media/moved.ts";

export type FileMover = {
  /** The key of the file that was at the path; null where there is none. */
  copy(path: string): Promise<string | null>;
  /** Since the start. */
  copied: number;
  bytes: number;
  missing: number;
};

export const fileMover = (app: App, folder: string): FileMover => {
  const mover: FileMover = {
    copied: 0,
    bytes: 0,
    missing: 0,
    async copy(path) {
      const from = join(folder, path);
      const key = movedKey(app, path);
      if (key === null || !existsSync(from)) {
        mover.missing += 1;
        return null;
      }
      if ((await app.storage.stat(key)) === null) {
        await app.storage.put(key, from);
        mover.copied += 1;
        mover.bytes += statSync(from).size;
      }
      return key;
    },
  };
  return mover;
};

/** `117666255851114680` → `117/666/255/851/114/680`. */
const digits = (id: string): string =>
  id
    .padStart(Math.max(9, Math.ceil(id.length / 3) * 3), "0")
    .match(/\d{3}/g)!
    .join("/");

export const pathOf = (folder: string, id: string, style: string, name: string): string =>
  `${folder}/${digits(id)}/${style}/${name}`;

const AT_ONCE = 8;

/** What `work` makes of each item, some at a time, in their order. */
export const inTurn = async <T, U>(items: T[], work: (item: T) => Promise<U>): Promise<U[]> => {
  const results: U[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
};
