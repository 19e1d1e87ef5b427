// SQL of the subscriptions slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, valuesOf, onlyValue } from "../../../platform/db/rows.ts";
import { listedPublicly } from "../../posts/statuses/fragments.ts";

/** `expires_at` is null once it is confirmed. */
type Subscription = {
  id: string;
  account_id: string;
  email: string;
  locale: string;
  expires_at: Date | null;
};

const confirmedOf = (db: Db, accountId: string) => db<{ count: number }[]>`
  SELECT count(*)::int AS count FROM email_subscriptions
  WHERE account_id = ${accountId} AND expires_at IS NULL
`;

export const countConfirmed = (db: Db, accountId: string): Promise<number> =>
  onlyValue(confirmedOf(db, accountId));

/** Returns the id, also of one that waits to be confirmed; null where it is confirmed, or the account has `most`. */
export const insertSubscription = (
  db: Db,
  row: Omit<Subscription, "id">,
  most: number,
): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    INSERT INTO email_subscriptions AS e (account_id, email, locale, expires_at)
    SELECT ${row.account_id}, ${row.email}, ${row.locale}, ${row.expires_at}
    WHERE (${confirmedOf(db, row.account_id)}) < ${most}
    ON CONFLICT (account_id, email) DO UPDATE
    SET locale = excluded.locale, expires_at = excluded.expires_at
    WHERE e.expires_at IS NOT NULL
    RETURNING id
  `);

export const selectSubscription = (db: Db, id: string): Promise<Subscription | null> =>
  firstRow(db<Subscription[]>`
    SELECT id, account_id, email, locale, expires_at FROM email_subscriptions WHERE id = ${id}
  `);

/** Sends what is posted from `seenId` on. */
export const confirmSubscription = (db: Db, id: string, at: Date, seenId: string) => db`
  UPDATE email_subscriptions SET expires_at = NULL, due_at = ${at}, seen_id = ${seenId}
  WHERE id = ${id} AND expires_at IS NOT NULL
`;

export const deleteSubscription = (db: Db, id: string) => db`
  DELETE FROM email_subscriptions WHERE id = ${id}
`;

/** Makes the condition that the post `s` is sent to `e`: it is new and public, and begins something. */
const isNews = (db: Db) => db`
  s.account_id = e.account_id AND s.id > e.seen_id
  AND s.reblog_of_id IS NULL AND s.in_reply_to_id IS NULL
  AND ${listedPublicly(db)} AND NOT s.awaits_approval
`;

type Claim = { now: Date; next: Date; after: string; limit: number };

/** Claims those with news who may get a mail now, in the order of their ids. */
export const claimDue = (db: Db, { now, next, after, limit }: Claim): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    WITH claimed AS (
      UPDATE email_subscriptions SET due_at = ${next} WHERE id IN (
        SELECT e.id FROM email_subscriptions e
        WHERE e.id > ${after} AND e.due_at <= ${now}
          AND EXISTS (SELECT FROM statuses s WHERE ${isNews(db)})
        ORDER BY e.id LIMIT ${limit} FOR UPDATE OF e SKIP LOCKED
      ) RETURNING id
    )
    SELECT id FROM claimed ORDER BY id
  `);

/** Selects the newest posts since the last mail, and counts all of them. */
export const selectNews = (db: Db, id: string, limit: number) => db<
  { id: string; count: number }[]
>`
  SELECT s.id, count(*) OVER ()::int AS count
  FROM email_subscriptions e JOIN statuses s ON ${isNews(db)}
  WHERE e.id = ${id} ORDER BY s.id DESC LIMIT ${limit}
`;

export const updateSeen = (db: Db, id: string, seenId: string) => db`
  UPDATE email_subscriptions SET seen_id = ${seenId} WHERE id = ${id}
`;
