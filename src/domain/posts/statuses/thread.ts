// Posts a thread as one act: each post of a person is a reply to the one before. All of them are posted, or none.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { DomainError, Unprocessable } from "../../../platform/errors.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { createWithin } from "./create.ts";
import { idempotentSince } from "./idempotency.ts";
import type { NewStatus } from "./new-status.ts";
import { loadVisible } from "./load.ts";
import { composeStatus } from "./post.ts";
import type { About, Author, Draft } from "./post.ts";
import { selectIdempotent } from "./queries.ts";
import { MAX_STATUSES } from "./schema.ts";
import { refusal, refuseStopped, screen, storeScreened } from "./spam-check.ts";
import type { Stopped } from "./spam-check.ts";
import type { SeenStatus } from "./tables.ts";

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

const check = ([first, ...others]: Draft[]): void => {
  if (!first) throw invalid("Statuses can't be blank");
  if (others.length >= MAX_STATUSES)
    throw invalid(`A thread can have ${MAX_STATUSES} posts at most`);
  if (others.some((draft) => draft.in_reply_to_id))
    throw invalid("Only the first post of a thread can answer another post");
};

/** Says in a refusal which post of the thread it is about. */
const withPlace = async <T>(index: number, composing: Promise<T>): Promise<T> => {
  try {
    return await composing;
  } catch (error) {
    if (error instanceof DomainError) error.details = { ...error.details, index };
    throw error;
  }
};

/** Returns a key for each post, made from the key of all. */
const keysOf = (key: string | null, count: number): (string | null)[] =>
  Array.from({ length: count }, (_, n) => (key === null || n === 0 ? key : `${key}#${n}`));

/**
 * Judges each as a post of its own that replies to the one before. They are a millisecond apart, so that their ids have
 * their order. Writes nothing.
 */
export const composeThread = async (
  app: App,
  author: Author,
  drafts: Draft[],
  about: About,
): Promise<NewStatus[]> => {
  check(drafts);
  const begin = (about.at ?? app.clock.now()).getTime();
  const keys = keysOf(about.idempotencyKey, drafts.length);
  const inputs: NewStatus[] = [];
  for (const [n, draft] of drafts.entries()) {
    const own = { idempotencyKey: keys[n]!, at: new Date(begin + n), after: inputs.at(-1) };
    inputs.push(await withPlace(n, composeStatus(app, author, draft, { ...about, ...own })));
  }
  return inputs;
};

const answering = (input: NewStatus, ids: string[], conversationId: string | null): NewStatus => ({
  ...input,
  row: {
    ...input.row,
    in_reply_to_id: ids.at(-1)!,
    in_reply_to_account_id: input.row.account_id,
    // A conversation that begins with the thread has the number of its first post.
    conversation_id: conversationId ?? ids[0]!,
  },
});

/** Stores for moderators what rules against spam stop; returns null where nothing is stopped. */
const screenAll = async (app: App, tx: Tx, inputs: NewStatus[]): Promise<Stopped | null> => {
  const verdicts = await screen(app, tx, inputs);
  if (!verdicts) return null;
  const nothing = async (passing: NewStatus[]) => passing.map(() => null);
  const results = await storeScreened(app, tx, inputs, verdicts, nothing);
  return results.find((result) => result !== null && "stopped" in result) as Stopped | null;
};

/**
 * Creates them within `tx`; returns their ids, or that a rule against spam stopped one of them, so that none is posted.
 * Each takes a statement, since it needs the number of the one before.
 */
export const createInOrder = async (
  app: App,
  tx: Tx,
  inputs: NewStatus[],
): Promise<string[] | Stopped> => {
  const stopped = inputs.length > 1 ? await screenAll(app, tx, inputs) : null;
  if (stopped) return stopped;
  const ids: string[] = [];
  for (const input of inputs) {
    const { conversation_id: conversationId = null } = inputs[0]!.row;
    const next = ids.length === 0 ? input : answering(input, ids, conversationId);
    const result = await withPlace(ids.length, createWithin(app, tx, next));
    if (typeof result === "string") ids.push(result);
    else if (ids.length === 0) return result;
    // A rule that counts posts may stop a later one; what is written so far is undone.
    else throw refusal(result);
  }
  return ids;
};

const loadThread = async (app: App, author: Author, ids: string[]): Promise<SeenStatus[]> => {
  const views = await loadVisible(app, ids, asPerson(author.id));
  const byId = new Map(views.map((view) => [view.id, view]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Returns the posts in their order, also where an earlier request with the same key made them. */
export const postThread = async (
  app: App,
  author: Author,
  drafts: Draft[],
  about: About,
): Promise<SeenStatus[]> => {
  const keys = keysOf(about.idempotencyKey, drafts.length).filter((key) => key !== null);
  const since = idempotentSince(app);
  const known = keys.length > 0 ? await selectIdempotent(app.sql, author.id, keys, since) : [];
  if (known.length > 0) return loadThread(app, author, known);
  await refuseStopped(app, author.id, keys);
  const inputs = await composeThread(app, author, drafts, about);
  const result = await app.sql.begin((tx) => createInOrder(app, tx, inputs));
  if ("stopped" in result) throw refusal(result);
  return loadThread(app, author, result);
};
