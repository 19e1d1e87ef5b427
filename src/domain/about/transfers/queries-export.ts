// SQL that reads exported data, a page at a time by an index, newest first as Mastodon writes it.

import type { Db } from "../../../platform/db/index.ts";
import { onlyRow } from "../../../platform/db/rows.ts";
import type { Entry, Kind } from "./tables.ts";

export const PAGE = 1000;

/** Every id is below this one. */
const TOP = "9223372036854775807";

/** `page_id` is where the next page begins. */
type Paged<K extends keyof Entry> = Entry[K] & { page_id: string };

type Handle = { local: string };

/** Adds the domain to people of this server, as in every such file. */
const acctOf = (db: Db, { local }: Handle) => db`a.username || '@' || coalesce(a.domain, ${local})`;

type Read = (
  db: Db,
  accountId: string,
  after: string | null,
  handle: Handle,
) => PromiseLike<object[]>;

const following: Read = (db, accountId, after, handle) => db<Paged<"following">[]>`
  SELECT ${acctOf(db, handle)} AS acct, f.show_reblogs AS reblogs, f.notify, f.languages,
    f.show_replies AS replies, f.daily_limit AS "dailyLimit", f.id AS page_id
  FROM follows f JOIN accounts a ON a.id = f.target_account_id
  WHERE f.account_id = ${accountId} AND f.id < ${after ?? TOP} ORDER BY f.id DESC LIMIT ${PAGE}
`;

const followers: Read = (db, accountId, after, handle) => db<Paged<"blocks">[]>`
  SELECT ${acctOf(db, handle)} AS acct, f.id AS page_id
  FROM follows f JOIN accounts a ON a.id = f.account_id
  WHERE f.target_account_id = ${accountId} AND f.id < ${after ?? TOP} ORDER BY f.id DESC LIMIT ${PAGE}
`;

const blocks: Read = (db, accountId, after, handle) => db<Paged<"blocks">[]>`
  SELECT ${acctOf(db, handle)} AS acct, b.id AS page_id
  FROM blocks b JOIN accounts a ON a.id = b.target_account_id
  WHERE b.account_id = ${accountId} AND b.id < ${after ?? TOP} ORDER BY b.id DESC LIMIT ${PAGE}
`;

const mutes: Read = (db, accountId, after, handle) => db<Paged<"mutes">[]>`
  SELECT ${acctOf(db, handle)} AS acct, m.hide_notifications AS notifications,
    to_char(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "endsAt", m.id AS page_id
  FROM mutes m JOIN accounts a ON a.id = m.target_account_id
  WHERE m.account_id = ${accountId} AND m.id < ${after ?? TOP} ORDER BY m.id DESC LIMIT ${PAGE}
`;

const domainBlocks: Read = (db, accountId, after) => db<Paged<"domain_blocks">[]>`
  SELECT domain, id AS page_id FROM account_domain_blocks
  WHERE account_id = ${accountId} AND id < ${after ?? TOP} ORDER BY id DESC LIMIT ${PAGE}
`;

/** Pages by list and account, which together are the key. */
const lists: Read = (db, accountId, after, handle) => {
  const [listId = "0", memberId = "0"] = after?.split("/") ?? [];
  return db<Paged<"lists">[]>`
    SELECT l.title, ${acctOf(db, handle)} AS acct, l.id || '/' || a.id AS page_id
    FROM lists l JOIN list_accounts la ON la.list_id = l.id JOIN accounts a ON a.id = la.account_id
    WHERE l.account_id = ${accountId} AND (la.list_id, la.account_id) > (${listId}, ${memberId})
    ORDER BY la.list_id, la.account_id LIMIT ${PAGE}
  `;
};

const bookmarks: Read = (db, accountId, after) => db<Paged<"bookmarks">[]>`
  SELECT s.uri, b.id AS page_id
  FROM bookmarks b JOIN statuses s ON s.id = b.status_id
  WHERE b.account_id = ${accountId} AND b.id < ${after ?? TOP} ORDER BY b.id DESC LIMIT ${PAGE}
`;

/** Pages by the account that each is about, which is in the key. */
const accountNotes: Read = (db, accountId, after, handle) => db<Paged<"account_notes">[]>`
  SELECT ${acctOf(db, handle)} AS acct, n.comment AS note, n.target_account_id AS page_id
  FROM account_notes n JOIN accounts a ON a.id = n.target_account_id
  WHERE n.account_id = ${accountId} AND n.target_account_id < ${after ?? TOP}
  ORDER BY n.target_account_id DESC LIMIT ${PAGE}
`;

const followedTags: Read = (db, accountId, after) => db<Paged<"followed_tags">[]>`
  SELECT t.display_name AS name, f.id AS page_id
  FROM tag_follows f JOIN tags t ON t.id = f.tag_id
  WHERE f.account_id = ${accountId} AND f.id < ${after ?? TOP} ORDER BY f.id DESC LIMIT ${PAGE}
`;

/** Selects mutes without an end; others are not exported. */
const mutedTags: Read = (db, accountId, after) => db<Paged<"muted_tags">[]>`
  SELECT t.display_name AS name, m.id AS page_id
  FROM tag_mutes m JOIN tags t ON t.id = m.tag_id
  WHERE m.account_id = ${accountId} AND m.id < ${after ?? TOP} AND m.expires_at IS NULL
  ORDER BY m.id DESC LIMIT ${PAGE}
`;

const savedSearches: Read = (db, accountId, after) => db<Paged<"saved_searches">[]>`
  SELECT q, id AS page_id FROM saved_searches
  WHERE account_id = ${accountId} AND id < ${after ?? TOP} ORDER BY id DESC LIMIT ${PAGE}
`;

const READS = {
  following,
  followers,
  blocks,
  mutes,
  domain_blocks: domainBlocks,
  lists,
  bookmarks,
  account_notes: accountNotes,
  followed_tags: followedTags,
  muted_tags: mutedTags,
  saved_searches: savedSearches,
};

/** Files of lines: all but filters, and followers. */
export type Listing = Exclude<Kind, "filters"> | "followers";

/** Selects a page; the next one begins after the last `page_id`. */
export const selectPage = async (
  db: Db,
  listing: Listing,
  accountId: string,
  after: string | null,
  localDomain: string,
): Promise<(Entry["blocks"] & { page_id: string })[]> => [
  ...((await READS[listing](db, accountId, after, { local: localDomain })) as Paged<"blocks">[]),
];

export type Totals = Record<Kind | "followers", number>;

/** Counts the entries of each kind, by an index of the person's own rows. */
export const selectTotals = (db: Db, accountId: string): Promise<Totals> =>
  onlyRow(db<Totals[]>`
    SELECT
      (SELECT count(*)::int FROM follows WHERE account_id = ${accountId}) AS following,
      (SELECT coalesce(max(followers_count), 0)::int FROM account_stats WHERE account_id = ${accountId}) AS followers,
      (SELECT count(*)::int FROM blocks WHERE account_id = ${accountId}) AS blocks,
      (SELECT count(*)::int FROM mutes WHERE account_id = ${accountId}) AS mutes,
      (SELECT count(*)::int FROM account_domain_blocks WHERE account_id = ${accountId}) AS domain_blocks,
      (SELECT count(*)::int FROM lists WHERE account_id = ${accountId}) AS lists,
      (SELECT count(*)::int FROM bookmarks WHERE account_id = ${accountId}) AS bookmarks,
      (SELECT count(*)::int FROM filters WHERE account_id = ${accountId}) AS filters,
      (SELECT count(*)::int FROM account_notes WHERE account_id = ${accountId}) AS account_notes,
      (SELECT count(*)::int FROM tag_follows WHERE account_id = ${accountId}) AS followed_tags,
      (SELECT count(*)::int FROM tag_mutes WHERE account_id = ${accountId} AND expires_at IS NULL) AS muted_tags,
      (SELECT count(*)::int FROM saved_searches WHERE account_id = ${accountId}) AS saved_searches
  `);

/** A filter as it is stored, with a Date, which is text in the file. */
type StoredFilter = Omit<Entry["filters"], "expire_at"> & { expire_at: Date | null };

export const selectFilterEntries = (db: Db, accountId: string) => db<StoredFilter[]>`
  SELECT f.title, f.expires_at AS expire_at, f.context, f.action,
    coalesce((SELECT json_agg(json_build_object(
        'keyword', k.keyword, 'whole_word', k.whole_word, 'wildcards', k.wildcards) ORDER BY k.id)
      FROM filter_keywords k WHERE k.filter_id = f.id), '[]') AS keywords_attributes,
    coalesce((SELECT json_agg(s.uri ORDER BY x.id)
      FROM filter_statuses x JOIN statuses s ON s.id = x.status_id WHERE x.filter_id = f.id), '[]') AS statuses
  FROM filters f WHERE f.account_id = ${accountId} ORDER BY f.title, f.id
`;
