// SQL of accounts: views, handles, profiles, settings, counts, verification of profile links.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyRow } from "../../../platform/db/rows.ts";
import type {
  AccountField,
  AccountView,
  FollowCounts,
  OwnPart,
  UserRow,
  UserSettings,
} from "./tables.ts";

export type LargeAvatar = { id: string; avatar_key: string; avatar_static_key: string | null };

export const selectWithoutSmall = (db: Db, limit: number) => db<LargeAvatar[]>`
  SELECT id, avatar_key, avatar_static_key FROM accounts
  WHERE avatar_key IS NOT NULL AND avatar_small_key IS NULL ORDER BY id LIMIT ${limit}
`;

/** Returns false where the avatar was replaced meanwhile. */
export const setSmall = async (db: Db, { id, avatar_key }: LargeAvatar, key: string) => {
  const { count } = await db`
    UPDATE accounts SET avatar_small_key = ${key}
    WHERE id = ${id} AND avatar_key = ${avatar_key} AND avatar_small_key IS NULL
  `;
  invalidate(db, `account:${id}`);
  return count === 1;
};

/** Selects accounts by id, in no order; the caller adds `moved_to`. */
export const selectAccounts = (db: Db, ids: string[]) => db<Omit<AccountView, "moved_to">[]>`
  SELECT
    a.id, a.username, a.domain, a.uri, a.url, a.actor_type, a.display_name, a.note, a.note_html, a.fields,
    a.emojis, a.avatar_url, a.header_url, a.avatar_key, a.avatar_static_key, a.avatar_small_key,
    a.header_key, a.header_static_key, a.avatar_description, a.header_description, a.locked,
    a.discoverable, a.indexable, a.hide_collections, a.show_media, a.show_media_replies, a.show_featured,
    a.memorial, a.also_known_as, a.attribution_domains, a.inbox_url, a.shared_inbox_url, a.followers_url,
    a.feature_policy, a.suspended_at, a.silenced_at, a.sensitized_at, a.created_at, a.updated_at,
    a.moved_to_account_id,
    coalesce(s.statuses_count, 0) AS statuses_count,
    coalesce(s.followers_count, 0) AS followers_count,
    coalesce(s.following_count, 0) AS following_count,
    s.last_status_at,
    CASE WHEN r.id IS NOT NULL THEN
      json_build_object(
        'id', r.id::text, 'name', r.name, 'color', r.color,
        'permissions', r.permissions::text, 'highlighted', r.highlighted, 'position', r.position,
        'max_characters', r.max_characters
      )
    END AS role,
    u.id IS NOT NULL AND (u.confirmed_at IS NULL OR NOT u.approved) AS pending,
    coalesce((u.settings -> 'mails' -> 'subscribers')::boolean, false) AS email_subscriptions
  FROM accounts a
  LEFT JOIN account_stats s ON s.account_id = a.id
  LEFT JOIN users u ON u.account_id = a.id
  LEFT JOIN roles r ON r.id = u.role_id
  WHERE a.id = ANY(${ids}::bigint[])
`;

/** `domain` is null for a local account. Handles are compared without regard to case (citext). */
export const selectIdByHandle = (db: Db, username: string, domain: string | null) =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM accounts
    WHERE username = ${username} AND coalesce(domain, '') = ${domain ?? ""}
  `);

/** Selects ids of several handles at once; `key` is the handle as the caller wrote it. */
export const selectIdsByHandles = (
  db: Db,
  handles: { username: string; domain: string | null }[],
) =>
  db<{ id: string; username: string; domain: string | null }[]>`
    SELECT a.id, a.username, a.domain
    FROM unnest(
      ${handles.map((h) => h.username)}::citext[],
      ${handles.map((h) => h.domain ?? "")}::citext[]
    ) AS h (username, domain)
    JOIN accounts a ON a.username = h.username AND coalesce(a.domain, '') = h.domain
  `;

export const selectKeys = (db: Db, id: string) =>
  firstRow(db<{ public_key: string; private_key: string | null }[]>`
    SELECT a.public_key, k.private_key
    FROM accounts a LEFT JOIN account_keys k ON k.account_id = a.id WHERE a.id = ${id}
  `);

/** Selects what only the person of an account sees of it; counts waiting follow requests up to `cap`. */
export const selectOwnPart = (db: Db, accountId: string, cap: number) =>
  onlyRow(db<OwnPart[]>`
    SELECT coalesce(u.settings, '{}') AS settings, u.time_zone AS "timeZone", (
      SELECT count(*)::int
      FROM (SELECT FROM follow_requests WHERE target_account_id = ${accountId} LIMIT ${cap}) AS r
    ) AS "followRequests"
    FROM (SELECT ${accountId}::bigint AS id) a LEFT JOIN users u ON u.account_id = a.id
  `);

/** Selects ids of the known accounts. */
export const selectIdsByUris = (db: Db, uris: string[]) => db<{ id: string }[]>`
  SELECT id FROM accounts WHERE uri = ANY(${uris})
`;

export const selectUserByAccount = (db: Db, accountId: string) =>
  firstRow(db<UserRow[]>`
    SELECT id, account_id, email, password_hash, role_id, locale, time_zone, confirmed_at, approved,
           disabled, settings, created_at
    FROM users WHERE account_id = ${accountId}
  `);

export type ProfileChange = Partial<{
  display_name: string;
  note: string;
  note_html: string;
  fields: AccountField[];
  locked: boolean;
  actor_type: string;
  discoverable: boolean | null;
  indexable: boolean;
  hide_collections: boolean | null;
  attribution_domains: string[];
  show_media: boolean;
  show_media_replies: boolean;
  show_featured: boolean;
  /** Null to remove the picture. */
  avatar_key: string | null;
  avatar_static_key: string | null;
  avatar_small_key: string | null;
  header_key: string | null;
  header_static_key: string | null;
  avatar_description: string;
  header_description: string;
}>;

export const updateProfile = async (db: Db, accountId: string, change: ProfileChange) => {
  const { fields, ...plain } = change;
  const values = { ...plain, ...(fields && { fields: db.json(fields) }) };
  await db`
    UPDATE accounts SET ${db(values as never)}, updated_at = now() WHERE id = ${accountId}
  `;
  invalidate(db, `account:${accountId}`, "rankings:");
};

type PersonChange = { time_zone?: string | null; locale?: string };

/** Sets the given members and leaves the others. */
export const updateSettings = async (
  db: Db,
  accountId: string,
  settings: UserSettings,
  person: PersonChange = {},
) => {
  const isNothing = Object.keys({ ...settings, ...person }).length === 0;
  if (isNothing) return;
  const [row] = await db<{ id: string }[]>`
    UPDATE users SET settings = settings || ${db.json(settings)}
      ${person.time_zone === undefined ? db`` : db`, time_zone = ${person.time_zone}`}
      ${person.locale === undefined ? db`` : db`, locale = ${person.locale}`}
    WHERE account_id = ${accountId}
    RETURNING id
  `;
  if (row) invalidate(db, `user:${row.id}`, `person:${accountId}`);
};

/** Changes of counts by other slices; `at` is when the newest of the statuses was written. */
export type WrittenDelta = { id: string; statuses: number; at?: Date | null };

/** Updates in the order of the ids, so that two transactions never deadlock. Inserts missing rows. */
export const addStatusesWritten = async (db: Db, deltas: WrittenDelta[]): Promise<void> => {
  if (deltas.length === 0) return;
  await db`
    INSERT INTO account_stats AS s (account_id, statuses_count, last_status_at)
    SELECT id, statuses, at
    FROM jsonb_to_recordset(${db.json(deltas as never)})
      AS w (id bigint, statuses bigint, at timestamptz)
    ORDER BY id
    ON CONFLICT (account_id) DO UPDATE SET
      statuses_count = greatest(0, s.statuses_count + excluded.statuses_count),
      last_status_at = greatest(s.last_status_at, excluded.last_status_at)
  `;
  invalidate(db, ...deltas.map(({ id }) => `account:${id}` as const));
};

export type FollowDelta = { id: string; following: number; followers: number };

/** Updates in the order of the ids, so that two transactions never deadlock. Returns the new counts. */
export const addManyFollowCounts = async (db: Db, deltas: FollowDelta[]) => {
  const counts = await insertFollowCounts(db, deltas);
  invalidate(db, ...deltas.map(({ id }) => `account:${id}` as const));
  return counts;
};

const insertFollowCounts = (db: Db, deltas: FollowDelta[]) => db<FollowCounts[]>`
  INSERT INTO account_stats AS s (account_id, followers_count, following_count)
  SELECT d.id, d.followers, d.following
  FROM unnest(
    ${deltas.map((d) => d.id)}::bigint[], ${deltas.map((d) => d.followers)}::bigint[],
    ${deltas.map((d) => d.following)}::bigint[]
  ) AS d (id, followers, following)
  ORDER BY d.id
  ON CONFLICT (account_id) DO UPDATE SET
    followers_count = greatest(0, s.followers_count + excluded.followers_count),
    following_count = greatest(0, s.following_count + excluded.following_count)
  RETURNING account_id AS id, followers_count, following_count
`;

type FieldsRow = {
  domain: string | null;
  url: string;
  uri: string;
  suspended_at: Date | null;
  fields: AccountField[];
  links_checked_at: Date | null;
  /** Whether somebody here follows the account. */
  followed: boolean;
};

export const selectFields = (db: Db, accountId: string): Promise<FieldsRow | null> =>
  firstRow(db<FieldsRow[]>`
    SELECT domain, url, uri, suspended_at, fields, links_checked_at,
           EXISTS (SELECT FROM follows f WHERE f.target_account_id = a.id AND f.local) AS followed
    FROM accounts a WHERE id = ${accountId}
  `);

export const lockAccountRow = (db: Db, accountId: string) => db`
  SELECT FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE
`;

/** Works as selectFields, but locks the row until the transaction ends. */
export const lockFields = async (db: Db, accountId: string): Promise<AccountField[]> => {
  const [row] = await db<{ fields: AccountField[] }[]>`
    SELECT fields FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE
  `;
  return row?.fields ?? [];
};

export const updateProofs = async (db: Db, accountId: string, fields: AccountField[], at: Date) => {
  await db`
    UPDATE accounts SET fields = ${db.json(fields)}, links_checked_at = ${at}
    WHERE id = ${accountId}
  `;
  invalidate(db, `account:${accountId}`);
};

/** Leaves counts that are null as they are. */
export const updateTotals = async (
  db: Db,
  id: string,
  totals: { statuses: number | null; followers: number | null; following: number | null },
): Promise<void> => {
  await db`
    UPDATE account_stats SET
      statuses_count = coalesce(${totals.statuses}::bigint, statuses_count),
      followers_count = coalesce(${totals.followers}::bigint, followers_count),
      following_count = coalesce(${totals.following}::bigint, following_count)
    WHERE account_id = ${id}
  `;
  invalidate(db, `account:${id}`);
};

/** Selects how a person stands to these accounts. */
export const selectStandings = (db: Db, viewerId: string, ids: string[]) => db<
  { id: string; follows: boolean; followed: boolean }[]
>`
  SELECT t.id::text AS id,
    EXISTS (SELECT FROM follows WHERE account_id = ${viewerId} AND target_account_id = t.id) AS follows,
    EXISTS (SELECT FROM follows WHERE account_id = t.id AND target_account_id = ${viewerId}) AS followed
  FROM unnest(${ids}::bigint[]) AS t (id)
`;
