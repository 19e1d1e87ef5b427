// SQL of the push slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyRow } from "../../../platform/db/rows.ts";
import type { PushMessage } from "./events.ts";
import type { NewSubscription, Owner, Policy, Recipient, SubscriptionRow } from "./tables.ts";

const columns = (db: Db) => db`
  id, token_id, session_id, account_id, endpoint, p256dh, auth, standard, alerts, policy, access_token,
  failures, retry_at`;

/** Subscriptions of an account, more than anybody has devices. */
const MAX_OF_ACCOUNT = 50;

const isOf = (db: Db, { tokenId, sessionId }: Owner) =>
  sessionId === null ? db`token_id = ${tokenId}` : db`session_id = ${sessionId}`;

/** Keeps the existing id, since apps subscribe again at each start, which would use numbers up. */
const idOf = (db: Db, owner: Owner) => db`
  coalesce(
    (SELECT id FROM push_subscriptions WHERE ${isOf(db, owner)}), nextval('push_subscriptions_id_seq')
  )
`;

/**
 * Stores the only subscription of a token or session, in place of an earlier one. Deletes the oldest beyond the limit
 * of a person.
 */
export const upsertSubscription = (
  db: Db,
  owner: Owner,
  subscription: NewSubscription,
  now: Date,
): Promise<SubscriptionRow> =>
  onlyRow(db<SubscriptionRow[]>`
    WITH surplus AS (
      DELETE FROM push_subscriptions
      WHERE id IN (
        SELECT id FROM push_subscriptions
        WHERE account_id = ${subscription.account_id} AND (${isOf(db, owner)}) IS NOT TRUE
        ORDER BY id DESC
        OFFSET ${MAX_OF_ACCOUNT - 1}
      )
    )
    INSERT INTO push_subscriptions ${db({
      id: idOf(db, owner) as never,
      ...subscription,
      alerts: db.json(subscription.alerts) as never,
      created_at: now,
    })}
    ON CONFLICT (${db(owner.sessionId === null ? "token_id" : "session_id")}) DO UPDATE SET
      endpoint = excluded.endpoint,
      p256dh = excluded.p256dh,
      auth = excluded.auth,
      standard = excluded.standard,
      alerts = excluded.alerts,
      policy = excluded.policy,
      access_token = excluded.access_token,
      failures = 0,
      retry_at = NULL
    RETURNING ${columns(db)}
  `);

export const selectSubscription = (db: Db, owner: Owner): Promise<SubscriptionRow | null> =>
  firstRow(db<SubscriptionRow[]>`
    SELECT ${columns(db)} FROM push_subscriptions WHERE ${isOf(db, owner)}
  `);

export const updateSubscription = (
  db: Db,
  owner: Owner,
  { alerts, policy }: { alerts: Record<string, boolean>; policy: Policy },
): Promise<SubscriptionRow | null> =>
  firstRow(db<SubscriptionRow[]>`
    UPDATE push_subscriptions SET alerts = ${db.json(alerts)}, policy = ${policy}
    WHERE ${isOf(db, owner)}
    RETURNING ${columns(db)}
  `);

export const deleteSubscriptionOf = (db: Db, owner: Owner) =>
  db`DELETE FROM push_subscriptions WHERE ${isOf(db, owner)}`;

export const deleteSubscriptions = (db: Db, tokenIds: string[]) =>
  db`DELETE FROM push_subscriptions WHERE token_id = ANY(${tokenIds}::bigint[])`;

export const deleteSubscription = (db: Db, id: string) =>
  db`DELETE FROM push_subscriptions WHERE id = ${id}`;

/** Selects who gets a push of these notifications, by the alerts and the policy of each subscription. */
export const selectMessages = (db: Db, notificationIds: string[]) => db<PushMessage[]>`
  SELECT s.id AS "subscriptionId", n.id AS "notificationId"
  FROM notifications n
  JOIN push_subscriptions s ON s.account_id = n.account_id
  LEFT JOIN oauth_tokens t ON t.id = s.token_id
  WHERE t.revoked_at IS NULL AND n.id = ANY(${notificationIds}::bigint[])
    AND s.alerts -> n.type = 'true'::jsonb
    AND CASE s.policy
      WHEN 'all' THEN true
      WHEN 'followed' THEN EXISTS (
        SELECT FROM follows f
        WHERE f.account_id = n.account_id AND f.target_account_id = n.from_account_id
      )
      WHEN 'follower' THEN EXISTS (
        SELECT FROM follows f
        WHERE f.account_id = n.from_account_id AND f.target_account_id = n.account_id
      )
      ELSE false
    END
`;

/** Returns null where it was deleted, its token is revoked, or its owner may not use the API now. */
export const selectRecipient = (db: Db, id: string): Promise<Recipient | null> =>
  firstRow(db<Recipient[]>`
    SELECT s.*, u.locale, u.settings, u.time_zone
    FROM push_subscriptions s
    JOIN users u ON u.account_id = s.account_id
    LEFT JOIN oauth_tokens t ON t.id = s.token_id
    WHERE s.id = ${id} AND t.revoked_at IS NULL
  `);

export const setRetry = (db: Db, id: string, failures: number, retryAt: Date | null) => db`
  UPDATE push_subscriptions SET failures = ${failures}, retry_at = ${retryAt} WHERE id = ${id}
`;
