// Counts again what people here and their posts have, a slice at a time.

import type { App } from "../uses.ts";
import {
  countCounted,
  lockAccountCounts,
  lockStatusCounts,
  recountAccounts,
  recountStatuses,
} from "./queries-counts.ts";

const SLICE = 200;

export const COUNTED = ["accounts", "statuses"] as const;
export type Counted = (typeof COUNTED)[number];

const STATEMENTS = {
  accounts: { lock: lockAccountCounts, recount: recountAccounts },
  statuses: { lock: lockStatusCounts, recount: recountStatuses },
} as const;

/** `last` is where the next slice begins; null where nothing is left. */
type Recounted = { looked: number; wrong: number; last: string | null };

class Undone extends Error {}

/** Undoes the corrections in a dry run. */
export const recountSlice = async (
  app: App,
  what: Counted,
  after: string,
  { dryRun }: { dryRun: boolean },
): Promise<Recounted> => {
  const { lock, recount } = STATEMENTS[what];
  let result: Recounted = { looked: 0, wrong: 0, last: null };
  try {
    await app.sql.begin(async (tx) => {
      const ids = await lock(tx, after, SLICE);
      const wrong = ids.length > 0 ? await recount(tx, ids) : 0;
      result = { looked: ids.length, wrong, last: ids.length < SLICE ? null : ids.at(-1)! };
      if (dryRun) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return result;
};

/** Returns how many there are to look at. */
export const countedOf = async (app: App, what: Counted): Promise<number> =>
  (await countCounted(app.sql))[what];
