// Posts of people here that are sent at the same moment share a transaction and its commit, and are
// read back together (docs/decisions/0007-posting.md).

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../platform/app.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { hasRareParts, idempotentSince, insertRareParts, rowOf, tagRows } from "./create.ts";
import type { NewStatus } from "./create.ts";
import { enqueueCreated, handOver, isAttended } from "./hand-over.ts";
import { linkHashes } from "./links.ts";
import { loadAsServer } from "./load.ts";
import { insertPosts } from "./queries-posts.ts";
import type { NewPost } from "./queries-posts.ts";
import { selectIdempotent } from "./queries.ts";

type Waiting = {
  input: NewStatus;
  resolve: (id: string) => void;
  reject: (error: unknown) => void;
};

type Desk = { waiting: Waiting[]; busy: boolean };

const MAX_POSTS = 100;
/** Those that arrive so close together share a commit. */
const GATHER_MS = 2;

const desks = new WeakMap<App, Desk>();

const deskOf = (app: App): Desk => {
  let desk = desks.get(app);
  if (!desk) desks.set(app, (desk = { waiting: [], busy: false }));
  return desk;
};

const newPost = (app: App, input: NewStatus): NewPost => ({
  row: {
    ...rowOf(app, input, input.createdAt ?? app.clock.now()),
    idempotency_key: input.idempotencyKey,
  },
  mentions: input.mentions,
  tags: tagRows(input.tags),
  linkHashes: linkHashes(input),
});

/** The id of each, by its place, and which of them are new: of the others the key was used before. */
type Stored = { ids: string[]; created: Map<number, string> };

/** One statement, and one more for each whose key was used before. */
const insert = async (
  app: App,
  db: Db,
  inputs: NewStatus[],
  unfinished: boolean,
): Promise<Stored> => {
  const since = idempotentSince(app);
  const posts = inputs.map((input) => newPost(app, input));
  const created = await insertPosts(db, posts, { since, unfinished });
  const ids = await Promise.all(
    inputs.map(
      async ({ accountId, idempotencyKey }, n) =>
        created.get(n) ?? (await selectIdempotent(db, accountId, idempotencyKey!, since))!,
    ),
  );
  return { ids, created };
};

const insertWithMore = async (
  app: App,
  tx: Tx,
  inputs: NewStatus[],
  attended: boolean,
): Promise<Stored> => {
  const stored = await insert(app, tx, inputs, attended);
  const { created } = stored;
  await Promise.all([
    ...[...created].map(([n, id]) => insertRareParts(app, tx, id, inputs[n]!)),
    attended ? null : enqueueCreated(app, tx, [...created.values()]),
  ]);
  return stored;
};

/** Mostly one statement is all; it is its own transaction. */
const store = (app: App, inputs: NewStatus[]): Promise<Stored> => {
  const attended = isAttended(app);
  return attended && !inputs.some(hasRareParts)
    ? insert(app, app.sql, inputs, attended)
    : app.sql.begin((tx) => insertWithMore(app, tx, inputs, attended));
};

const commit = async (app: App, batch: Waiting[]): Promise<string[]> => {
  const { ids, created } = await store(
    app,
    batch.map(({ input }) => input),
  );
  handOver(app, [...created.values()]);
  return ids;
};

/** One that cannot be stored does not take the others with it. */
const storeBatch = async (app: App, batch: Waiting[]): Promise<void> => {
  let ids: string[];
  try {
    ids = await commit(app, batch);
  } catch (error) {
    if (batch.length === 1) return batch[0]!.reject(error);
    for (const one of batch) await storeBatch(app, [one]);
    return;
  }
  // Into the caches, with one query for all; who answers them reads them there.
  if (app.config.caches.statuses) await loadAsServer(app, ids).catch(() => {});
  batch.forEach(({ resolve }, n) => resolve(ids[n]!));
};

/** Also between batches: those who were just answered come again together. */
const run = async (app: App, desk: Desk): Promise<void> => {
  desk.busy = true;
  while (desk.waiting.length > 0) {
    await sleep(GATHER_MS);
    await storeBatch(app, desk.waiting.splice(0, MAX_POSTS));
  }
  desk.busy = false;
};

/**
 * Done when the post is committed; gives its id, or that of the post which the same person sent with
 * the same idempotency key within an hour.
 */
export const postTogether = (app: App, input: NewStatus): Promise<string> => {
  const desk = deskOf(app);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  desk.waiting.push({ input, resolve, reject });
  if (!desk.busy) void run(app, desk);
  return promise;
};
