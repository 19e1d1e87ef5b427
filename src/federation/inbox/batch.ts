// A batch of waiting activities in one transaction: judged together, done together, and marked as
// done with it, so that a process that dies in between has done nothing. Of each actor the batch has
// what stands first, and what follows it only if it is of the same kind: order is kept.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { idOf, parseRecord, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { createStatuses } from "../../domain/statuses/create.ts";
import type { NewStatus } from "../../domain/statuses/create.ts";
import { favouriteStatuses, unfavouriteStatuses } from "../../domain/statuses/favourite.ts";
import { removeStatuses } from "../../domain/statuses/remove.ts";
import "../events.ts";
import { lookUp } from "./known.ts";
import type { Wanted } from "./known.ts";
import { sift } from "./plan.ts";
import type { Plan, Sifted } from "./plan.ts";
import {
  claimMany,
  finishMany,
  insertEarlyDeletes,
  lockBatches,
  selectActors,
  selectBodies,
  selectWaiting,
} from "./queries-batch.ts";
import type { WaitingRow } from "./queries-batch.ts";
import type { KnownActor } from "./queries.ts";
import { forgetBodies, keptBody } from "./store.ts";

/** One in hand: claimed by us, to be worked by its handler. */
export type InHand = { id: string; actorUri: string; attempts: number; body: Json | null };

type Entry = { row: WaitingRow; body: Json | null };
type Judged = Entry & { actor: KnownActor; sifted: Sifted };

const LIMIT = 400;
const CLAIM_MS = 120_000;

/** The bodies, from memory where they were taken in by this process. */
const withBodies = async (app: App, tx: Tx, rows: WaitingRow[]): Promise<Entry[]> => {
  const entries = rows.map((row) => ({ row, body: keptBody(app, row.id) ?? null }));
  const missing = entries.filter(({ body }) => body === null);
  if (missing.length === 0) return entries;
  const read = await selectBodies(
    tx,
    missing.map(({ row }) => row.id),
  );
  const texts = new Map(read.map(({ id, body }) => [id, body]));
  for (const entry of missing) entry.body = parseRecord(texts.get(entry.row.id) ?? "");
  return entries;
};

const kindOf = ({ body }: Entry): string => (body ? typesOf(body).join() : "");

/** Of each actor the first, and those after it that are of the same kind. */
const firstOfEach = (entries: Entry[]): Entry[] => {
  const kinds = new Map<string, string | null>();
  return entries.filter((entry) => {
    const before = kinds.get(entry.row.actor_uri);
    const kind = kindOf(entry);
    const fits = before === undefined || before === kind;
    kinds.set(entry.row.actor_uri, fits ? kind : null);
    return fits;
  });
};

const allWanted = (sifted: Sifted[]): Wanted => {
  const all: Wanted = {
    people: [],
    statuses: [],
    takenBack: [],
    likes: [],
    stamps: [],
    acts: [],
  };
  for (const { wanted } of sifted) {
    all.people.push(...(wanted.people ?? []));
    all.statuses.push(...(wanted.statuses ?? []));
    all.takenBack.push(...(wanted.takenBack ?? []));
    all.likes.push(...(wanted.likes ?? []));
    all.stamps.push(...(wanted.stamps ?? []));
    all.acts.push(...(wanted.acts ?? []));
  }
  return all;
};

/** An activity by nobody we know, or by somebody suspended, does nothing. */
const judgeable = (entry: Entry, actor: KnownActor | undefined): actor is KnownActor =>
  actor !== undefined &&
  !actor.suspended &&
  actor.domain !== null &&
  entry.body !== null &&
  idOf(entry.body["actor"]) === actor.uri;

type Verdict = { entry: Entry; actor: KnownActor | null; plan: Plan };

const judge = async (app: App, tx: Tx, entries: Entry[]): Promise<Verdict[]> => {
  const actors = await selectActors(tx, [...new Set(entries.map(({ row }) => row.actor_uri))]);
  const byUri = new Map(actors.map((actor) => [actor.uri, actor]));
  const read = entries.map((entry): Judged | Entry => {
    const actor = byUri.get(entry.row.actor_uri);
    // One that failed before is worked alone, so that it cannot spoil a batch again.
    if (!judgeable(entry, actor) || entry.row.attempts > 0) return entry;
    return { ...entry, actor, sifted: sift(app, actor, entry.body!) };
  });
  const sifted = read.flatMap((one) => ("sifted" in one ? [one.sifted] : []));
  const known = await lookUp(tx, actors, allWanted(sifted));
  return read.map((entry) => {
    if ("sifted" in entry) return { entry, actor: entry.actor, plan: entry.sifted.judge(known) };
    const kind = entry.row.attempts > 0 ? ("slow" as const) : ("nothing" as const);
    return { entry, actor: null, plan: { kind } };
  });
};

/** Behind one that takes time, the rest of the same actor waits. */
const inTurn = (verdicts: Verdict[]): Verdict[] => {
  const stopped = new Set<string>();
  return verdicts.filter(({ entry, plan }) => {
    const { actor_uri: uri } = entry.row;
    if (stopped.has(uri)) return false;
    if (plan.kind === "slow") stopped.add(uri);
    return true;
  });
};

const collect = (verdicts: Verdict[]) => {
  const created: NewStatus[] = [];
  const favourites: { accountId: string; statusId: string; uri: string }[] = [];
  const unfavourites: { accountId: string; statusId: string }[] = [];
  const removals: string[] = [];
  const early: { actorUri: string; uri: string }[] = [];
  for (const { actor, plan } of verdicts) {
    const accountId = actor?.id ?? "";
    if (plan.kind === "create") created.push(plan.status);
    else if (plan.kind === "favourite") favourites.push({ ...plan, accountId });
    else if (plan.kind === "unfavourite") unfavourites.push({ ...plan, accountId });
    else if (plan.kind === "remove") removals.push(plan.statusId);
    else if (plan.kind === "earlyDelete") early.push({ actorUri: actor!.uri, uri: plan.uri });
  }
  return { created, favourites, unfavourites, removals, early };
};

const apply = async (app: App, tx: Tx, verdicts: Verdict[]): Promise<void> => {
  const { created, favourites, unfavourites, removals, early } = collect(verdicts);
  if (early.length > 0) await insertEarlyDeletes(tx, early, app.clock.now());
  if (created.length > 0) await createStatuses(app, tx, created);
  await favouriteStatuses(app, tx, favourites);
  await unfavouriteStatuses(app, tx, unfavourites);
  if (removals.length > 0) await removeStatuses(app, tx, removals);
};

const claimEnd = (app: App): Date => new Date(app.clock.now().getTime() + CLAIM_MS);

const idsOf = (entries: { row: WaitingRow }[]): string[] => entries.map(({ row }) => row.id);

const inHand = ({ row, body }: Entry): InHand => ({
  id: row.id,
  actorUri: row.actor_uri,
  attempts: row.attempts + 1,
  body,
});

export type Batch = {
  /** How many are done, or were taken in hand. */
  count: number;
  slow: InHand[];
};

/** What was looked at when the transaction failed, so that each can be tried alone. */
export type Attempt = { entries: Entry[] };

const runBatch = (app: App, attempt: Attempt): Promise<Batch> =>
  app.sql.begin(async (tx) => {
    await lockBatches(tx);
    const now = app.clock.now();
    const waiting = await selectWaiting(tx, now, LIMIT);
    if (waiting.length === 0) return { count: 0, slow: [] };
    const entries = firstOfEach(await withBodies(app, tx, [...waiting]));
    attempt.entries = entries;
    const verdicts = inTurn(await judge(app, tx, entries));
    const slow = verdicts.filter(({ plan }) => plan.kind === "slow").map(({ entry }) => entry);
    const rest = verdicts.filter(({ plan }) => plan.kind !== "slow");
    if (slow.length > 0) await claimMany(tx, idsOf(slow), claimEnd(app));
    await apply(app, tx, rest);
    const done = idsOf(rest.map(({ entry }) => entry));
    if (done.length > 0) await finishMany(tx, done, now);
    return { count: verdicts.length, slow: slow.map(inHand) };
  });

/** Does the next batch. Empty when nothing is due, or all that is due is in somebody's hand. */
export const workBatch = async (app: App, attempt: Attempt): Promise<Batch> => {
  const batch = await runBatch(app, attempt);
  forgetBodies(app, idsOf(attempt.entries));
  return batch;
};

/** Takes the first of each actor of a batch that failed in hand, to be worked alone. */
export const claimFailed = (app: App, { entries }: Attempt): Promise<Batch> =>
  app.sql.begin(async (tx) => {
    await lockBatches(tx);
    const ids = new Set((await selectWaiting(tx, app.clock.now(), LIMIT)).map((row) => row.id));
    const first = new Map<string, Entry>();
    for (const entry of entries) {
      const { actor_uri: uri, id } = entry.row;
      if (ids.has(id) && !first.has(uri)) first.set(uri, entry);
    }
    const claimed = [...first.values()];
    await claimMany(tx, idsOf(claimed), claimEnd(app));
    return { count: claimed.length, slow: claimed.map(inHand) };
  });
