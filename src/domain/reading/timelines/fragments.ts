// Makes conditions for which statuses belong in a home and in a list (belongs.ts). `s` is the alias of `statuses`, `m`
// of followed accounts or members: id, languages, show_reblogs, show_replies, daily_limit; `l` of `lists`.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { MAX_DAILY } from "../../people/relationships/follow.ts";
import { isCircle, listedPublicly, openToFollowers } from "../../posts/statuses/fragments.ts";
import { IN_HOME, IN_LIST } from "./belongs.ts";
import type { Fact, Rule } from "./belongs.ts";

type Facts = Partial<Record<Fact, Fragment>>;

const joined = (db: Db, rules: Fragment[], word: Fragment): Fragment =>
  db`(${rules.map((rule, n) => (n === 0 ? rule : db` ${word} ${rule}`))})`;

const condition = (db: Db, rule: Rule, facts: Facts): Fragment => {
  if (typeof rule === "boolean") return rule ? db`true` : db`false`;
  if (typeof rule === "string") return facts[rule]!;
  if ("not" in rule) return db`NOT ${facts[rule.not]!}`;
  const all = "all" in rule;
  const each = (all ? rule.all : rule.any).map((part) => condition(db, part, facts));
  return joined(db, each, all ? db`AND` : db`OR`);
};

const DAY_MS = "86400000";

/**
 * Counts the posts and boosts that the author of `s` had written before on the same day (UTC), 100 at most; private
 * mentions and replies to others do not count. Uses statuses_account.
 */
export const earlierCount = (db: Db): Fragment => db`(
  SELECT count(*)::int FROM (
    SELECT FROM statuses e
    WHERE e.account_id = s.account_id AND e.id < s.id
      AND e.id >= ((s.id >> 16) / ${db.unsafe(DAY_MS)} * ${db.unsafe(DAY_MS)}) << 16
      AND ${openToFollowers(db, "e")}
      AND (e.in_reply_to_account_id IS NULL OR e.in_reply_to_account_id = e.account_id)
    LIMIT ${db.unsafe(String(MAX_DAILY))}
  ) earlier
)`;

const common = (db: Db): Facts => ({
  open: openToFollowers(db),
  boost: db`(s.reblog_of_id IS NOT NULL)`,
  boostsWanted: db`m.show_reblogs`,
  languageWanted: db`(m.languages IS NULL OR s.language IS NULL OR s.language = ANY(m.languages))`,
  repliesShown: db`m.show_replies`,
  withinLimit: db`(m.daily_limit IS NULL OR ${earlierCount(db)} < m.daily_limit)`,
  reply: db`(s.in_reply_to_account_id IS NOT NULL AND s.in_reply_to_account_id <> s.account_id)`,
});

const isNamed = (db: Db, readerId: Fragment): Fragment => db`EXISTS (SELECT FROM mentions n
      WHERE n.status_id = s.id AND n.account_id = ${readerId})`;

const followsRepliedTo = (db: Db, readerId: Fragment): Fragment =>
  db`EXISTS (SELECT FROM follows r
    WHERE r.account_id = ${readerId} AND r.target_account_id = s.in_reply_to_account_id)`;

/** Ancestors of a post that are looked at for muted tags. */
const MAX_ABOVE = "40";

/**
 * Selects mutes `tm` of the tags of `s`, of what it boosts and of its ancestors, up to the beginning of the thread.
 * Uses primary keys and statuses_tags.
 */
export const tagMutes = (db: Db): Fragment => db`
  (WITH RECURSIVE ancestors (id, parent_id, depth) AS (
    SELECT o.id, o.in_reply_to_id, 0 FROM statuses o WHERE o.id = coalesce(s.reblog_of_id, s.id)
    UNION ALL
    SELECT o.id, o.in_reply_to_id, ancestors.depth + 1
    FROM ancestors JOIN statuses o ON o.id = ancestors.parent_id WHERE ancestors.depth < ${db.unsafe(MAX_ABOVE)}
  )
  SELECT m.account_id FROM ancestors
  JOIN statuses_tags st ON st.status_id = ancestors.id
  JOIN tag_mutes m ON m.tag_id = st.tag_id AND (m.expires_at IS NULL OR m.expires_at > now())) tm
`;

/** `m.tag_id` is null where it was found by its author, who is then in no exclusive list. */
export const belongsInHome = (db: Db, accountId: string): Fragment =>
  condition(db, IN_HOME, {
    ...common(db),
    own: db`s.account_id = ${accountId}`,
    followed: db`m.tag_id IS NULL`,
    tagFollowed: db`m.tag_id IS NOT NULL`,
    exclusive: db`(m.tag_id IS NOT NULL AND EXISTS (SELECT FROM list_accounts x
      WHERE x.exclusive AND x.account_id = s.account_id AND x.owner_id = ${accountId}))`,
    // Most people mute none, so that no thread is looked at.
    tagMuted: db`(EXISTS (SELECT FROM tag_mutes WHERE account_id = ${accountId})
      AND EXISTS (SELECT FROM ${tagMutes(db)} WHERE tm.account_id = ${accountId}))`,
    named: isNamed(db, db`${accountId}`),
    listed: listedPublicly(db),
    inGoodStanding: db`EXISTS (SELECT FROM accounts a
      WHERE a.id = s.account_id AND a.silenced_at IS NULL AND a.suspended_at IS NULL)`,
    replyWanted: db`(s.in_reply_to_account_id = ${accountId}
      OR ${followsRepliedTo(db, db`${accountId}`)})`,
  });

/**
 * Selects members of lists who are followed, and owners who are in a list of their own; the mutes of `unmuted` do not
 * count.
 */
export const listMembers = (db: Db, unmuted: string[] = []): Fragment => db`
  SELECT la.list_id, la.account_id AS id, f.languages, f.daily_limit,
    coalesce(f.show_replies, true) AS show_replies,
    coalesce(f.show_reblogs, true) AND NOT EXISTS (SELECT FROM mutes u
      WHERE u.account_id = la.owner_id AND u.target_account_id = la.account_id
        AND u.target_account_id <> ALL(${unmuted}::bigint[])) AS show_reblogs
  FROM list_accounts la
  LEFT JOIN follows f ON f.account_id = la.owner_id AND f.target_account_id = la.account_id
  WHERE (f.id IS NOT NULL OR la.account_id = la.owner_id)
`;

export const belongsInList = (db: Db): Fragment =>
  condition(db, IN_LIST, {
    ...common(db),
    followed: db`true`,
    circle: isCircle(db),
    named: isNamed(db, db`l.account_id`),
    own: db`s.account_id = l.account_id`,
    replyWanted: db`(s.in_reply_to_account_id = l.account_id
      OR (l.replies_policy = 'followed' AND ${followsRepliedTo(db, db`l.account_id`)})
      OR (l.replies_policy = 'list' AND EXISTS (SELECT FROM list_accounts r
        WHERE r.list_id = l.id AND r.account_id = s.in_reply_to_account_id)))`,
  });
