// Counts figures under a timeout, and refuses requests that take too long.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { Unavailable } from "../../../platform/errors.ts";
import { limitTime } from "./queries.ts";

const TIMEOUT_MS = 5_000;

/** Runs one transaction in which no statement takes long; throws 503 where this server cannot answer in time. */
export const quickly = async <T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> => {
  try {
    return (await app.sql.begin(async (tx) => {
      await limitTime(tx, TIMEOUT_MS);
      return work(tx);
    })) as T;
  } catch (error) {
    if ((error as { code?: string }).code !== "57014") throw error;
    throw new Unavailable("These figures take too long to count: ask for fewer days", 60);
  }
};

/** Returns results for the keys, in their order; those that are null are left out. */
export const eachKey = async <T>(
  app: App,
  keys: string[] | undefined,
  read: (db: Db, key: string) => Promise<T | null>,
): Promise<T[]> =>
  quickly(app, async (tx) => {
    const answers: T[] = [];
    for (const key of new Set(keys)) {
      const answer = await read(tx, key);
      if (answer !== null) answers.push(answer);
    }
    return answers;
  });
