// Stores incoming activities: requests that arrive together share one statement and one commit. After the commit no
// activity can be lost, and the worker of the inbox is woken.

import type { App } from "../../platform/app.ts";
import { createBatcher, gatherRequests } from "../../platform/batcher.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import { perApp } from "../../platform/caches/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import type { Json } from "../../platform/json/read.ts";
import { emptyNextSlot, insertManyIncoming } from "./queries.ts";
import type { NewIncoming } from "./queries.ts";
import { wakeInbox } from "./wake.ts";

type Item = { row: NewIncoming; body: Json };

/** A body, and the length of the text that it was parsed from. */
type Parsed = { body: Json; length: number };

/** Parsed bodies by the activity's id, so that the worker of this process need not parse them again. */
const bodies = boundedCache<Parsed>("inbox bodies", ({ length }) => 3 * length);

const MIB = 1024 * 1024;

const keyOf = ({ actorUri, uri }: { actorUri: string; uri: string }) => `${actorUri} ${uri}`;

const insertAll = async (app: App, batch: Item[]): Promise<void> => {
  await wakeInbox(app, async (db) => {
    const stored = await insertManyIncoming(
      db,
      batch.map(({ row }) => row),
      app.clock.now(),
    );
    // Of two activities with the same id the first is stored.
    const byKey = new Map(batch.toReversed().map((item) => [keyOf(item.row), item]));
    for (const { id, uri, actor_uri } of stored) {
      const { row, body } = byKey.get(keyOf({ actorUri: actor_uri, uri }))!;
      bodies(app).set(id, { body, length: row.body.length });
    }
    return stored.length > 0;
  });
};

const batcherOf = perApp("inbox being stored", (app) =>
  createBatcher<Item, void>({
    run: async (items) => {
      await insertAll(app, items);
      return items.map(() => {});
    },
    gatherMs: gatherRequests(app.process),
    maxBatch: 200,
    maxWaiting: 5_000,
    bytes: { of: ({ row }) => row.body.length, maxBatch: 4 * MIB, maxWaiting: 32 * MIB },
  }),
);

/** Stores an activity; resolves when it is committed, or was stored before. */
export const storeIncoming = (app: App, row: NewIncoming, body: Json): Promise<void> =>
  batcherOf(app).add({ row, body });

/** Returns the parsed body of a stored activity, if this process received it and still has it cached. */
export const cachedBody = (app: App, id: string): Json | undefined => bodies(app).get(id)?.body;

/** Drops the bodies of finished activities, which are not needed again. */
export const dropBodies = (app: App, ids: string[]): void => {
  for (const id of ids) bodies(app).delete(id);
};

/** Deletes ids of received activities after one to two weeks: peers retry for some days. */
export const deleteOldSeen: DeleteSlice = async (app, now) => {
  await emptyNextSlot(app.sql, now);
  return false;
};
