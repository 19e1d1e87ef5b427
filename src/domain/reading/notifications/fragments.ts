// Makes conditions that several queries share, also those of conversations, which hold back what the policy does.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { bitsOf } from "../../base/roles/permissions.ts";
import { isDirect } from "../../posts/statuses/fragments.ts";
import { UNJUDGED_TYPES } from "./tables.ts";
import type { NotificationFilter, NotificationType } from "./tables.ts";

/**
 * Makes the condition that the recipient has neither blocked the sender or the domain nor muted the sender with
 * notifications. Each part has one row at most. It uses `IS NULL`, because the planner would make joins of NOT EXISTS,
 * and read all notifications where a page needs forty.
 */
export const isWanted = (db: Db, recipient: Fragment, sender: Fragment, now: Date) => db`
  (SELECT true FROM blocks b WHERE b.account_id = ${recipient} AND b.target_account_id = ${sender})
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

/** Makes the condition that the recipient wants the sender's (isWanted), and is not blocked by the sender. */
export const isUnblocked = (db: Db, recipient: Fragment, sender: Fragment, now: Date) => db`
  (SELECT true FROM blocks b WHERE b.account_id = ${sender} AND b.target_account_id = ${recipient})
    IS NULL
  AND ${isWanted(db, recipient, sender, now)}
`;

/**
 * Makes a subquery with a row where the sender may be shown to the recipient, neither suspended nor blocked. OFFSET 0
 * keeps it separate, so that PostgreSQL evaluates it once for each sender of a walk (Memoize) and not for each
 * notification.
 */
export const ifShown = (db: Db, recipient: string | Fragment, now: Date, row = db`n`) => db`(
    SELECT true AS shown FROM accounts f
    WHERE f.id = ${row}.from_account_id AND f.suspended_at IS NULL
      AND ${isUnblocked(db, db`${recipient}`, db`f.id`, now)}
    OFFSET 0
  ) sender`;

/** Makes a join: the sender may be shown to the recipient. */
export const shownSender = (...of: Parameters<typeof ifShown>) =>
  of[0]`CROSS JOIN LATERAL ${ifShown(...of)}`;

/**
 * Makes the condition that this recipient did not clear the notification `n` (clear.ts). The subquery does not refer
 * to `n`, so that an index is read from there on.
 */
export const isLeft = (db: Db, accountId: string | Fragment) => db`
  n.id > coalesce((SELECT up_to FROM notification_clears c WHERE c.account_id = ${accountId}), 0)
`;

/**
 * Selects the recipient's notifications of the type `wanted`. Those of a single sender are read as a whole, from the
 * index that has each once: in the order of a page all others would be read to find them.
 */
const notificationsOf = (db: Db, accountId: string, fromId: string | null) =>
  fromId === null
    ? db`notifications`
    : db`(
      SELECT * FROM notifications
      WHERE account_id = ${accountId} AND type = wanted.type AND from_account_id = ${fromId} OFFSET 0
    )`;

/**
 * Makes a FROM: the recipient's notifications `n` of these types that are shown, as many of each type as `limited`
 * (more conditions, order and limit) says. They are read from the index of types, however rare one is; favourites that
 * have an emoji, where those alone are wanted, from the index of these.
 */
export const shownOfTypes = (
  db: Db,
  accountId: string,
  { types, fromId, filtered, reactions }: NotificationFilter,
  now: Date,
  limited: Fragment,
) => {
  const ofTypes = (some: NotificationType[], condition: Fragment) => db`
    SELECT n.* FROM unnest(${some}::text[]) AS wanted (type)
    CROSS JOIN unnest(${filtered.map(String)}::text[]::boolean[]) AS held (filtered)
    CROSS JOIN LATERAL (
      SELECT * FROM ${notificationsOf(db, accountId, fromId)} AS n
      ${shownSender(db, accountId, now)}
      WHERE n.account_id = ${accountId} AND n.type = wanted.type AND n.filtered = held.filtered
        ${condition} AND ${isLeft(db, accountId)}
        ${limited}
    ) AS n
  `;
  if (reactions !== "alone" || !types.includes("favourite"))
    return db`(${ofTypes(types, reactions === "none" ? db`AND NOT n.reacted` : db``)}) AS n`;
  const others = types.filter((type) => type !== "favourite");
  return db`(
    ${ofTypes(others, db``)} UNION ALL ${ofTypes(["favourite"], db`AND n.reacted`)}
  ) AS n`;
};

/** Days after which a follower and an account do not count as new any more. */
const FOLLOWER_DAYS = 3;
const ACCOUNT_DAYS = 30;

// The conditions below judge a notice of a `type` from the account `s` to the account `r` about the status `t`; `y` is
// the policy of `r`, where there is one.

/** Makes the condition that the recipient follows the sender. */
const isFollowed = (db: Db) => db`
  (SELECT true FROM follows f WHERE f.account_id = r.id AND f.target_account_id = s.id) IS NOT NULL
`;

/** Makes the condition that it is a direct post in a thread in which the recipient has not mentioned the sender. */
const isPrivateMention = (db: Db, type: Fragment) => db`
  ${type} = 'mention' AND ${isDirect(db, "t")} AND NOT EXISTS (
    SELECT FROM statuses o JOIN mentions m ON m.status_id = o.id AND m.account_id = s.id
    WHERE o.conversation_id = t.conversation_id AND o.local AND o.account_id = r.id
  )
`;

/** Makes the condition that the recipient's policy (`y`) has the choice for a class that this sender belongs to. */
export const isChosen = (db: Db, type: Fragment, choice: "filter" | "drop", now: Date) => db`(
  coalesce(y.for_private_mentions, 'filter') = ${choice} AND ${isPrivateMention(db, type)}
    AND NOT ${isFollowed(db)}
  OR coalesce(y.for_limited_accounts, 'filter') = ${choice} AND s.silenced_at IS NOT NULL
    AND NOT ${isFollowed(db)}
  OR y.for_not_following = ${choice} AND NOT ${isFollowed(db)}
  OR y.for_not_followers = ${choice} AND (
    SELECT true FROM follows f
    WHERE f.account_id = s.id AND f.target_account_id = r.id
      AND f.created_at <= ${addDays(now, -FOLLOWER_DAYS)}
  ) IS NULL
  OR y.for_new_accounts = ${choice} AND s.created_at > ${addDays(now, -ACCOUNT_DAYS)}
    AND NOT ${isFollowed(db)}
  OR y.for_bots = ${choice} AND s.actor_type IN ('Service', 'Application') AND NOT ${isFollowed(db)}
)`;

/** Permissions of public roles whose members are never filtered. */
const MODERATION = bitsOf(["administrator", "manage_reports", "manage_users"]);

/**
 * Makes the condition that it is a private mention by somebody who moderates here with a public role, so that people
 * see what is asked of them.
 */
const isFromStaff = (db: Db, type: Fragment) => db`
  ${type} = 'mention' AND ${isDirect(db, "t")} AND EXISTS (
    SELECT FROM users u JOIN roles o ON o.id = u.role_id
    WHERE u.account_id = s.id AND o.highlighted AND o.permissions & ${MODERATION} <> 0
  )
`;

/** Makes the condition that the policy may apply: it is an act of somebody whom the recipient has not accepted. */
export const isJudged = (db: Db, type: Fragment) => db`
  ${type} <> ALL(${UNJUDGED_TYPES}) AND (${isFromStaff(db, type)}) IS NOT TRUE AND (
    SELECT true FROM notification_permissions p
    WHERE p.account_id = r.id AND p.from_account_id = s.id
  ) IS NULL
`;

/**
 * Makes the condition that a private mention in the status `t` is shown to `r` at once: the policy neither filters nor
 * drops it.
 */
export const isMentionAccepted = (db: Db, now: Date) => {
  const type = db`'mention'`;
  return db`NOT (${isJudged(db, type)} AND (
    coalesce(${isChosen(db, type, "filter", now)}, false) OR coalesce(${isChosen(db, type, "drop", now)}, false)
  ))`;
};
