// Storing what came in: requests that arrive together share one statement and one commit. After it
// the activity cannot be lost, and whoever works on the inbox is woken.

import type { App } from "../../platform/app.ts";
import type { Json } from "../../platform/json/read.ts";
import { insertManyIncoming } from "./queries.ts";
import type { NewIncoming } from "./queries.ts";
import { wakeInbox } from "./wake.ts";

type Waiting = {
  row: NewIncoming;
  body: Json;
  resolve: () => void;
  reject: (error: unknown) => void;
};

/** A body, and the length of the text that it was read from. */
type Handed = { body: Json; size: number };

type Desk = { waiting: Waiting[]; busy: boolean; bodies: Map<string, Handed>; handed: number };

const MAX_ROWS = 200;
/** Those that arrive so close together share a commit. */
const GATHER_MS = 2;
/** Characters of bodies that are handed over in memory; others are read and parsed again. */
const MAX_HANDED = 16 * 1024 * 1024;

const desks = new WeakMap<App, Desk>();

const deskOf = (app: App): Desk => {
  let desk = desks.get(app);
  if (!desk) desks.set(app, (desk = { waiting: [], busy: false, bodies: new Map(), handed: 0 }));
  return desk;
};

const letGo = (desk: Desk, id: string): void => {
  desk.handed -= desk.bodies.get(id)?.size ?? 0;
  desk.bodies.delete(id);
};

/** Where there is no room the oldest go. */
const handOver = (desk: Desk, id: string, { row, body }: Waiting): void => {
  const size = row.body.length;
  desk.bodies.set(id, { body, size });
  desk.handed += size;
  for (const oldest of desk.bodies.keys()) {
    if (desk.handed <= MAX_HANDED) return;
    letGo(desk, oldest);
  }
};

const keyOf = ({ actorUri, uri }: { actorUri: string; uri: string }) => `${actorUri} ${uri}`;

const insertAll = async (app: App, desk: Desk, batch: Waiting[]): Promise<void> => {
  await wakeInbox(app, async (db) => {
    const stored = await insertManyIncoming(
      db,
      batch.map(({ row }) => row),
      app.clock.now(),
    );
    // Of two with the same id the first is stored.
    const byKey = new Map(batch.toReversed().map((one) => [keyOf(one.row), one]));
    for (const { id, uri, actor_uri } of stored) {
      handOver(desk, id, byKey.get(keyOf({ actorUri: actor_uri, uri }))!);
    }
    return stored.length > 0;
  });
};

/** One that cannot be stored does not take the others with it. */
const storeBatch = async (app: App, desk: Desk, batch: Waiting[]): Promise<void> => {
  try {
    await insertAll(app, desk, batch);
    for (const { resolve } of batch) resolve();
  } catch (error) {
    if (batch.length === 1) return batch[0]!.reject(error);
    for (const one of batch) await storeBatch(app, desk, [one]);
  }
};

const run = async (app: App, desk: Desk): Promise<void> => {
  desk.busy = true;
  while (desk.waiting.length > 0) await storeBatch(app, desk, desk.waiting.splice(0, MAX_ROWS));
  desk.busy = false;
};

/** Done when the activity is committed, or was known before. */
export const storeIncoming = (app: App, row: NewIncoming, body: Json): Promise<void> => {
  const desk = deskOf(app);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  desk.waiting.push({ row, body, resolve, reject });
  if (!desk.busy) {
    desk.busy = true;
    setTimeout(() => void run(app, desk), GATHER_MS);
  }
  return promise;
};

/** The parsed body of a stored activity, if this process took it in and still has it. */
export const keptBody = (app: App, id: string): Json | undefined =>
  deskOf(app).bodies.get(id)?.body;

/** They are worked on and not needed again. */
export const forgetBodies = (app: App, ids: string[]): void => {
  const desk = deskOf(app);
  for (const id of ids) letGo(desk, id);
};
