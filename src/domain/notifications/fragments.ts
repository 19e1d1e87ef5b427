// Conditions that several of this slice's queries share.

import type { Db, Fragment } from "../../platform/db/index.ts";
import type { NotificationFilter } from "./tables.ts";

/**
 * Neither blocks the other, and the recipient has neither muted the sender with notifications nor blocked
 * the sender's domain. Of each at most one row; `IS NULL`, because the planner would make joins of NOT
 * EXISTS, and read all notifications where a page needs forty.
 */
export const isUnblocked = (db: Db, recipient: Fragment, sender: Fragment, now: Date) => db`
  (SELECT true FROM blocks b WHERE b.account_id = ${recipient} AND b.target_account_id = ${sender})
    IS NULL
  AND (SELECT true FROM blocks b WHERE b.account_id = ${sender} AND b.target_account_id = ${recipient})
    IS NULL
  AND (
    SELECT true FROM mutes m
    WHERE m.account_id = ${recipient} AND m.target_account_id = ${sender}
      AND m.hide_notifications AND (m.expires_at IS NULL OR m.expires_at > ${now})
  ) IS NULL
  AND (
    SELECT true FROM account_domain_blocks d
    WHERE d.account_id = ${recipient}
      AND d.domain = (SELECT domain FROM accounts WHERE id = ${sender})
  ) IS NULL
`;

/** Who may be shown as the sender: not suspended, and unblocked. */
export const isShownSender = (db: Db, recipient: Fragment, sender: Fragment, now: Date) => db`
  (SELECT f.suspended_at IS NULL FROM accounts f WHERE f.id = ${sender})
  AND ${isUnblocked(db, recipient, sender, now)}
`;

/**
 * The notification `n` was not cleared by this recipient (clear.ts). Without a reference to `n`, so that an index is
 * read from there on.
 */
export const isLeft = (db: Db, accountId: string | Fragment) => db`
  n.id > coalesce((SELECT up_to FROM notification_clears c WHERE c.account_id = ${accountId}), 0)
`;

/** The notification `n` of this recipient may be shown. */
export const isShown = (db: Db, accountId: string, now: Date) => db`
  ${isShownSender(db, db`n.account_id`, db`n.from_account_id`, now)} AND ${isLeft(db, accountId)}
`;

/**
 * For a FROM: the recipient's notifications `n` of these types that are shown, of each type as many as
 * `limited` (more conditions, order and limit) says: read from the index of types, however rare one is.
 */
export const shownOfTypes = (
  db: Db,
  accountId: string,
  { types, fromId, filtered }: NotificationFilter,
  now: Date,
  limited: Fragment,
) => db`
  unnest(${types}::text[]) AS wanted (type)
  CROSS JOIN unnest(${filtered.map(String)}::text[]::boolean[]) AS held (filtered)
  CROSS JOIN LATERAL (
    SELECT * FROM notifications n
    WHERE n.account_id = ${accountId} AND n.type = wanted.type AND n.filtered = held.filtered
      ${fromId === null ? db`` : db`AND n.from_account_id = ${fromId}`}
      AND ${isShown(db, accountId, now)}
      ${limited}
  ) AS n
`;
