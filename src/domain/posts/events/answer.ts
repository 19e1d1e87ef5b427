// Answers calendar events, for local and remote accounts, in one transaction with the counts and what follows.
// statuses/answer-event.ts judges before who may see the post.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import "./events.ts";
import type { Answered, StoredAnswer } from "./events.ts";
import { lockEvent, recountEvents, selectAnswer, writeAnswer } from "./queries.ts";
import { isOver } from "./rules.ts";

type AnswerOf = { statusId: string; accountId: string };

export const noEvent = () => new Unprocessable("Validation failed: This post is not an event");

/** Milliseconds between two notifications of changed counts, however many people answer. */
const COUNTED_MS = 10_000;

/** Enqueues one job for each event at the end of the present interval. */
export const planCounted = async (app: App, tx: Tx, statusIds: string[]): Promise<void> => {
  if (statusIds.length === 0) return;
  const runAt = new Date(Math.ceil(app.clock.now().getTime() / COUNTED_MS) * COUNTED_MS);
  await app.jobs.addMany(
    tx,
    "event.counted",
    statusIds.map((statusId) => ({
      payload: { statusId },
      runAt,
      key: `event.counted:${statusId}`,
    })),
  );
};

/** With `tell` the event is remote and the account local, so that the other server gets the answer. */
const follow = async (app: App, tx: Tx, answered: Answered, tell: boolean): Promise<void> => {
  await planCounted(app, tx, [answered.statusId]);
  if (tell) await emit(app, tx, "event.answered", [answered]);
};

/**
 * `next` null takes the answer back. Returns whether anything changed, which a repeated answer does not. Throws
 * Unprocessable where the post is no event, or it is over.
 */
export const changeAnswer = (
  app: App,
  of: AnswerOf,
  next: StoredAnswer | null,
  tell: boolean,
): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const event = await lockEvent(tx, of.statusId);
    if (!event) throw noEvent();
    const stored = await selectAnswer(tx, of);
    if (stored?.answer === next?.answer) return false;
    const now = app.clock.now();
    if (isOver(event, now)) throw new Unprocessable("Validation failed: The event is over");
    const before = stored && { answer: stored.answer, uri: stored.uri };
    await writeAnswer(tx, of, { before, next }, now);
    // Suspended people may still end what they did.
    if (stored?.counted === false) await recountEvents(tx, [of.statusId]);
    await follow(app, tx, { ...of, now: next, before }, tell);
    return true;
  });
