// All SQL of the events slice. Calendar events are loaded with their statuses (statuses/queries.ts).

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { StoredAnswer } from "./events.ts";
import type { Answer, NewEvent } from "./tables.ts";

export type EventOf = { statusId: string; event: NewEvent };

/** Writes the events of new and of edited statuses; answers stay. */
export const upsertEvents = async (db: Db, events: EventOf[]): Promise<void> => {
  if (events.length === 0) return;
  const rows = events.map(({ statusId, event }) => ({ statusId, ...event }));
  await db`
    INSERT INTO status_events (status_id, name, starts_at, ends_at, place)
    SELECT "statusId", name, "startsAt", "endsAt", place
    FROM jsonb_to_recordset(${db.json(rows as never)}) AS e (
      "statusId" bigint, name text, "startsAt" timestamptz, "endsAt" timestamptz, place text
    )
    ON CONFLICT (status_id) DO UPDATE SET
      name = excluded.name, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      place = excluded.place
  `;
  invalidate(db, ...events.map(({ statusId }) => `status:${statusId}` as const));
};

type Times = { starts_at: Date; ends_at: Date | null };

/** Locks the event until the transaction ends, so that answers to it are counted one after another. */
export const lockEvent = (db: Db, statusId: string): Promise<Times | null> =>
  firstRow(db<Times[]>`
    SELECT starts_at, ends_at FROM status_events WHERE status_id = ${statusId} FOR UPDATE
  `);

type AnswerOf = { statusId: string; accountId: string };
type Change = { before: StoredAnswer | null; next: StoredAnswer | null };

const writing = (db: Db, { statusId, accountId }: AnswerOf, next: StoredAnswer | null, now: Date) =>
  next
    ? db`
        INSERT INTO event_answers (status_id, account_id, answer, answered_at, uri)
        VALUES (${statusId}, ${accountId}, ${next.answer}, ${now}, ${next.uri})
        ON CONFLICT (status_id, account_id) DO UPDATE SET
          id = excluded.id, answer = excluded.answer, answered_at = excluded.answered_at,
          uri = excluded.uri
      `
    : db`DELETE FROM event_answers WHERE status_id = ${statusId} AND account_id = ${accountId}`;

/** Stores or deletes the answer with its counts; the event is locked, so that `before` is what is stored. */
export const writeAnswer = async (db: Db, of: AnswerOf, { before, next }: Change, now: Date) => {
  const change = (answer: Answer): number =>
    Number(next?.answer === answer) - Number(before?.answer === answer);
  await db`
    WITH new_answer AS (${writing(db, of, next, now)})
    UPDATE status_events SET
      yes_count = yes_count + ${change("yes")}, maybe_count = maybe_count + ${change("maybe")},
      no_count = no_count + ${change("no")}
    WHERE status_id = ${of.statusId}
  `;
  invalidate(db, `status:${of.statusId}`);
};

/** Selects the account's answer, and whether it is counted: answers of suspended accounts are not. */
export const selectAnswer = (db: Db, { statusId, accountId }: AnswerOf) =>
  firstRow(db<(StoredAnswer & { counted: boolean })[]>`
    SELECT r.answer, r.uri, a.suspended_at IS NULL AS counted
    FROM event_answers r JOIN accounts a ON a.id = r.account_id
    WHERE r.status_id = ${statusId} AND r.account_id = ${accountId}
  `);

/** Selects the answers of a person to each of the events. */
export const selectAnswers = (db: Db, accountId: string, statusIds: string[]) =>
  db<{ status_id: string; answer: Answer }[]>`
    SELECT status_id, answer FROM event_answers
    WHERE account_id = ${accountId} AND status_id = ANY(${statusIds}::bigint[])
  `;

/** An account; `page_id` pages the list. */
export type Answerer = { id: string; page_id: string };

/** Selects accounts with this answer, the newest first. */
export const selectAnswerers = (db: Db, statusId: string, answer: Answer, page: Page) => db<
  Answerer[]
>`
  SELECT r.account_id AS id, r.id AS page_id
  FROM event_answers r JOIN accounts a ON a.id = r.account_id AND a.suspended_at IS NULL
  WHERE r.status_id = ${statusId} AND r.answer = ${answer} AND ${inPage(db, page, "r.id")}
`;

/** Selects events that these accounts answered, in the order of their ids, by the index of the accounts' answers. */
export const selectAnswered = (
  db: Db,
  accountIds: string[],
  after: string,
  limit: number,
): Promise<string[]> =>
  valuesOf(db<{ status_id: string }[]>`
    SELECT DISTINCT status_id FROM event_answers
    WHERE account_id = ANY(${accountIds}::bigint[]) AND status_id > ${after}
    ORDER BY status_id LIMIT ${limit}
  `);

/**
 * Locks events before they are counted, so that answers wait; in the order of the ids, so that two callers cannot
 * deadlock.
 */
export const lockEvents = (db: Db, ids: string[]) => db`
  SELECT FROM status_events WHERE status_id = ANY(${ids}::bigint[]) ORDER BY status_id FOR UPDATE
`;

export const deleteAnswersTo = (db: Db, accountId: string, ids: string[]) => db`
  DELETE FROM event_answers WHERE account_id = ${accountId} AND status_id = ANY(${ids}::bigint[])
`;

/** Counts without suspended accounts; returns the events whose counts changed. They are locked. */
export const recountEvents = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ status_id: string }[]>`
    UPDATE status_events e SET yes_count = c.yes, maybe_count = c.maybe, no_count = c.no
    FROM (
      SELECT g.id, count(*) FILTER (WHERE r.answer = 'yes') AS yes,
        count(*) FILTER (WHERE r.answer = 'maybe') AS maybe,
        count(*) FILTER (WHERE r.answer = 'no') AS no
      FROM unnest(${ids}::bigint[]) AS g (id)
      LEFT JOIN (
        event_answers r JOIN accounts a ON a.id = r.account_id AND a.suspended_at IS NULL
      ) ON r.status_id = g.id
      GROUP BY g.id
    ) c
    WHERE e.status_id = c.id
      AND (e.yes_count, e.maybe_count, e.no_count) IS DISTINCT FROM (c.yes, c.maybe, c.no)
    RETURNING e.status_id
  `;
  const changed = rows.map(({ status_id: id }) => id);
  invalidate(db, ...changed.map((id) => `status:${id}` as const));
  return changed;
};
