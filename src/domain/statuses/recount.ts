// Counting again, for an administrator who does not believe a count: a slice after the other, each exact at its moment.

import type { App } from "../../platform/app.ts";
import {
  countCounted,
  lockAccountCounts,
  lockStatusCounts,
  recountAccounts,
  recountStatuses,
} from "./queries-recount.ts";

const SLICE = 200;

export const COUNTED = ["accounts", "statuses"] as const;
export type Counted = (typeof COUNTED)[number];

const STATEMENTS = {
  accounts: { lock: lockAccountCounts, recount: recountAccounts },
  statuses: { lock: lockStatusCounts, recount: recountStatuses },
} as const;

/** `last`: where the next slice goes on; null: nothing is left. */
export type Recounted = { looked: number; wrong: number; last: string | null };

class Undone extends Error {}

/** In a dry run what was found is taken back. */
export const recountSlice = async (
  app: App,
  what: Counted,
  after: string,
  { dryRun }: { dryRun: boolean },
): Promise<Recounted> => {
  const { lock, recount } = STATEMENTS[what];
  let found: Recounted = { looked: 0, wrong: 0, last: null };
  try {
    await app.sql.begin(async (tx) => {
      const ids = await lock(tx, after, SLICE);
      const wrong = ids.length > 0 ? await recount(tx, ids) : 0;
      found = { looked: ids.length, wrong, last: ids.length < SLICE ? null : ids.at(-1)! };
      if (dryRun) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return found;
};

/** How many there are to look at. */
export const countedOf = async (app: App, what: Counted): Promise<number> =>
  (await countCounted(app.sql))[what];
