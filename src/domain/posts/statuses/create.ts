// Creates statuses (local posts, remote notes and reblogs, one or many) with their counts, attachments and events of
// the outbox: by one statement, or in one transaction where they have attachments (docs/design/write-path.md).

import { normaliseTag } from "../../../platform/text/tags.ts";
import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { createBatcher, gatherRequests } from "../../../platform/batcher.ts";
import { perApp } from "../../../platform/caches/index.ts";
import { afterCommit } from "../../../platform/db/commits.ts";
import { publishEvents } from "../../../platform/outbox/emit.ts";
import { setEvents } from "../events/set.ts";
import { attachOwn, insertRemoteMedia } from "../../base/media/attach.ts";
import { addPolls } from "../polls/add.ts";
import { keepCountedAccounts } from "../../people/accounts/load.ts";
import { keepCounted, keepMark, reserveNumbers } from "./cache.ts";
import "./events.ts";
import { linkHashes } from "./links.ts";
import { loadAsServer } from "./load.ts";
import { insertQuotes } from "./queries-approvals.ts";
import type { StatusInsert } from "./queries-write.ts";
import { addStatusCounts, insertStatuses, selectExisting, statusAbove } from "./queries-write.ts";
import { idempotentSince } from "./idempotency.ts";
import { selectIdempotent } from "./queries.ts";
import { MARKS } from "./queries-acts.ts";
import { refusal, screen, storeScreened } from "./spam-check.ts";
import type { Stopped } from "./spam-check.ts";
import { fullRow } from "./tables.ts";
import type { Created, NewQuote, NewStatus } from "./new-status.ts";

/** Returns distinct tags by their folded name; the first spelling wins. */
export const tagRows = (tags: string[]): { name: string; display: string }[] => {
  const byName = new Map<string, string>();
  for (const display of tags) {
    const name = normaliseTag(display);
    if (name !== "" && !byName.has(name)) byName.set(name, display);
  }
  return [...byName].map(([name, display]) => ({ name, display }));
};

type Quoting = { statusId: string; accountId: string; local: boolean; quote: NewQuote };

/** Enqueues jobs for pending quotes: local ones request approval, remote ones are checked. */
const enqueue = async (app: App, tx: Tx, pending: Quoting[]): Promise<void> => {
  const requested = pending.filter(({ local }) => local);
  const unchecked = pending.filter(({ local }) => !local);
  await app.jobs.addMany(
    tx,
    "quote.requested",
    requested.map(({ statusId }) => ({ payload: { statusId } })),
  );
  await app.jobs.addMany(
    tx,
    "quote.check",
    unchecked.map(({ statusId, quote }) => ({ payload: { statusId, depth: quote.depth } })),
  );
};

export const addQuotes = async (app: App, tx: Tx, quotings: Quoting[]): Promise<void> => {
  if (quotings.length === 0) return;
  await insertQuotes(
    tx,
    quotings.map(({ statusId, accountId, quote: { accepted, approvalPrefix, ...rest } }) => ({
      statusId,
      accountId,
      ...rest,
      approvalPrefix: approvalPrefix ?? null,
      state: accepted ? ("accepted" as const) : ("pending" as const),
    })),
  );
  await enqueue(
    app,
    tx,
    quotings.filter(({ quote }) => !quote.accepted),
  );
  const counted = quotings.flatMap(({ quote }) =>
    quote.accepted && quote.quotedStatusId ? [{ id: quote.quotedStatusId, quotes: 1 }] : [],
  );
  await addStatusCounts(tx, counted);
};

/** Returns the status that an earlier request with this key made, or null. */
export const findIdempotent = async (app: App, accountId: string, key: string) =>
  (await selectIdempotent(app.sql, accountId, [key], idempotentSince(app)))[0] ?? null;

const insertOf = (app: App, { row, tags, media, uploads, ...rest }: NewStatus): StatusInsert => {
  const hasMedia = media.length > 0 || uploads !== null;
  const full = fullRow({ ...row, has_media: hasMedia, has_event: rest.event !== null });
  const linking = { ...full, hasMedia, hasQuote: rest.quote !== null };
  const { all, card } = linkHashes(linking, app.config.site);
  return { ...rest, row: { ...full, card_hash: card }, tags: tagRows(tags), linkHashes: all };
};

/** Returns whether a status has media, a poll, an event or a quote. Few have, and each takes statements of its own. */
const hasAttachments = ({ media, uploads, poll, event, quote }: NewStatus): boolean =>
  media.length > 0 || uploads !== null || poll !== null || event !== null || quote !== null;

type Stored = { id: string; input: NewStatus };

/** Sends the statements together, so that they take one round trip. */
const insertAttachments = async (app: App, tx: Tx, stored: Stored[]): Promise<void> => {
  await Promise.all([
    insertRemoteMedia(
      tx,
      stored.map(({ id, input: { row, media } }) => ({
        statusId: id,
        accountId: row.account_id,
        media,
      })),
    ),
    ...stored.map(({ id, input: { row, uploads } }) =>
      uploads ? attachOwn(tx, id, row.account_id, uploads.ids, uploads) : null,
    ),
    addPolls(
      app,
      tx,
      stored.flatMap(({ id, input: { poll } }) => (poll ? [{ statusId: id, poll }] : [])),
    ),
    setEvents(
      tx,
      stored.flatMap(({ id, input: { event } }) => (event ? [{ statusId: id, event }] : [])),
    ),
    addQuotes(
      app,
      tx,
      stored.flatMap(({ id, input: { row, quote } }) =>
        quote
          ? [{ statusId: id, accountId: row.account_id, local: row.local ?? false, quote }]
          : [],
      ),
    ),
  ]);
};

/**
 * Keeps the targets of the statuses and their authors cached with the counts that the statement returns, and also the
 * marks of people who boost, as far as nothing else changes them.
 */
const insertAndKeepCached = (
  app: App,
  db: Db,
  inserts: StatusInsert[],
  insert: () => ReturnType<typeof insertStatuses>,
): ReturnType<typeof insertStatuses> => {
  const aboveIds = [...new Set(inserts.flatMap((input) => statusAbove(input) ?? []))];
  const authorIds = [...new Set(inserts.map(({ row }) => row.account_id))];
  return keepCounted(app, db, aboveIds, (keepStatus) =>
    keepCountedAccounts(app, db, authorIds, async (keepAccount) => {
      const marks = inserts.map(({ row: { account_id, reblog_of_id } }) =>
        reblog_of_id ? keepMark(app, db, account_id, reblog_of_id) : null,
      );
      const inserted = await insert();
      for (const [n, counts] of inserted.created) {
        const above = statusAbove(inserts[n]!);
        const { replies_count, reblogs_count, statuses_count, last_status_at } = counts;
        if (above && replies_count !== null && reblogs_count !== null)
          keepStatus(above, { replies_count, reblogs_count });
        if (statuses_count !== null)
          keepAccount(inserts[n]!.row.account_id, { statuses_count, last_status_at });
        marks[n]?.(MARKS.reblogged, true);
      }
      return inserted;
    }),
  );
};

const storeWithoutAttachments = async (
  app: App,
  db: Db,
  inputs: NewStatus[],
): Promise<(Created | null)[]> => {
  const since = idempotentSince(app);
  const inserts = inputs.map((input) => insertOf(app, input));
  const { origin } = app.config.site;
  const options = { origin, since, owner: app.outbox.owner() };
  const number = reserveNumbers(app, inserts.length);
  const { created, events } = await insertAndKeepCached(app, db, inserts, () =>
    insertStatuses(db, inserts, options),
  );
  afterCommit(db, () => number([...created.values()].map(({ id }) => id)));
  publishEvents(app, db, events);
  const missing = inserts.filter((_, n) => !created.has(n));
  const present = missing.length > 0 ? await selectExisting(db, missing, since) : [];
  return inputs.map((_, n) => {
    const id = created.get(n)?.id;
    if (id !== undefined) return { id, isNew: true };
    const known = present.shift() ?? null;
    return known === null ? null : { id: known, isNew: false };
  });
};

const storeWithAttachments = async (
  app: App,
  tx: Tx,
  inputs: NewStatus[],
): Promise<(Created | null)[]> => {
  const created = await storeWithoutAttachments(app, tx, inputs);
  const fresh = created.flatMap((status, n) =>
    status?.isNew ? [{ id: status.id, input: inputs[n]! }] : [],
  );
  await insertAttachments(app, tx, fresh);
  return created;
};

/**
 * Stores the statuses within the transaction of `db`, or in one of their own; results are in the order of the inputs. A
 * status that exists already (the same uri, idempotency key, or person's reblog of the same status) is left as it is,
 * and the result has its id. The result is null where it is known to be deleted, or a rule against spam stopped it.
 */
export const createStatuses = async (app: App, db: Db, inputs: NewStatus[]) =>
  (await createJudged(app, db, inputs)).map((outcome) =>
    outcome && "stopped" in outcome ? null : outcome,
  );

const storeStatuses = (app: App, db: Db, inputs: NewStatus[]): Promise<(Created | null)[]> => {
  // Mostly one statement is enough, which is its own transaction.
  if (!inputs.some(hasAttachments)) return storeWithoutAttachments(app, db, inputs);
  if (db !== app.sql) return storeWithAttachments(app, db as Tx, inputs);
  return app.sql.begin((tx) => storeWithAttachments(app, tx, inputs));
};

/** Stores statuses as `createStatuses` does; the results also tell where a rule against spam stopped one. */
const createJudged = async (
  app: App,
  db: Db,
  inputs: NewStatus[],
): Promise<(Created | Stopped | null)[]> => {
  const verdicts = await screen(app, db, inputs);
  if (!verdicts) return storeStatuses(app, db, inputs);
  const store = (tx: Tx) =>
    storeScreened(app, tx, inputs, verdicts, (unstopped) => storeStatuses(app, tx, unstopped));
  return db === app.sql ? app.sql.begin(store) : store(db as Tx);
};

const idOf = (outcome: Created | Stopped | null): string | Stopped | null =>
  outcome === null || "stopped" in outcome ? outcome : outcome.id;

/**
 * Creates a local person's status within `tx`; returns its id, or that a rule against spam stopped it, which is stored
 * with it.
 */
export const createWithin = async (
  app: App,
  tx: Tx,
  input: NewStatus,
): Promise<string | Stopped> => {
  const [outcome] = await createJudged(app, tx, [input]);
  const result = idOf(outcome!);
  if (result === null) throw new NotFound();
  return result;
};

/** Also loads them into the caches with one query for all, where the waiting requests read them. */
const createForRequests = async (
  app: App,
  inputs: NewStatus[],
): Promise<(string | Stopped | null)[]> => {
  const results = (await createJudged(app, app.sql, inputs)).map(idOf);
  const ids = results.filter((result) => typeof result === "string");
  if (app.config.caches.enabled) await loadAsServer(app, ids).catch(() => {});
  return results;
};

const batcherOf = perApp("statuses being written", (app) =>
  createBatcher<NewStatus, string | Stopped | null>({
    run: (inputs) => createForRequests(app, inputs),
    gatherMs: gatherRequests(app.process),
    maxBatch: 100,
    maxWaiting: 5_000,
  }),
);

/**
 * Creates a local post or reblog, in one batch with those that others send at the same moment
 * (docs/design/write-path.md). Resolves after the commit with its id, or with that of the status that exists already.
 * Throws 404 where its target was deleted meanwhile, 422 where a rule against spam stops it.
 */
export const createStatus = async (app: App, input: NewStatus): Promise<string> => {
  // A post with files is created alone: where one was attached to another post meanwhile, only this post fails.
  const result = input.uploads
    ? (await createForRequests(app, [input]))[0]
    : await batcherOf(app).add(input);
  if (typeof result === "string") return result;
  throw result ? refusal(result) : new NotFound();
};
