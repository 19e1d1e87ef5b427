// Caches the inboxes of an account's followers elsewhere, where each of its posts and boosts goes, until its followers
// change or any of `INBOXES_CHANGED` happens.

import type { App } from "../../platform/app.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import type { Db } from "../../platform/db/index.ts";
import { freshEnoughApp } from "../../domain/reading/timelines/cached-readers.ts";
import { selectFollowerInboxes } from "./queries.ts";
import { goneSince } from "./retention.ts";

/** Estimated bytes of an entry, and of an inbox besides its characters. */
const [EMPTY_BYTES, INBOX_BYTES] = [100, 32];

const readMany = async (app: App, db: Db, ids: string[]): Promise<Map<string, string[]>> => {
  const inboxes = await selectFollowerInboxes(db, ids, goneSince(app.clock.now()));
  return new Map(ids.map((id) => [id, inboxes.get(id) ?? []]));
};

const cached = cachedReader<string[]>(
  {
    name: "follower inboxes",
    kind: "followers",
    everything: "inboxes",
    size: (all) => EMPTY_BYTES + all.reduce((sum, { length }) => sum + length + INBOX_BYTES, 0),
  },
  async (db, id, app) => (await readMany(app, db, [id])).get(id)!,
);

/** Returns by account the inboxes of all followers elsewhere. A transaction reads them from the database. */
export const followerInboxes = async (
  app: App,
  db: Db,
  accountIds: string[],
): Promise<Map<string, string[]>> => {
  if (db !== app.sql) return readMany(app, db, accountIds);
  const ids = [...new Set(accountIds)];
  return cached.many(await freshEnoughApp(app), ids, (db, missing) => readMany(app, db, missing));
};
