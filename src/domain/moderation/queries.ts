// All SQL of the moderation slice: the staff, the lists of accounts, notes of moderators about accounts, dry runs of
// rules against spam.

import type { Db, Fragment } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { openTo } from "../statuses/fragments.ts";

export type ModeratorRow = {
  account_id: string;
  email: string;
  username: string;
  locale: string;
};

/** Active people whose role has one of the permission bits. */
export const selectStaff = (db: Db, bits: number) => db<ModeratorRow[]>`
  SELECT u.account_id, u.email::text AS email, a.username::text AS username, u.locale
  FROM users u
  JOIN roles r ON r.id = u.role_id AND r.permissions & ${bits}::bigint <> 0
  JOIN accounts a ON a.id = u.account_id AND a.suspended_at IS NULL
  WHERE u.role_id <> -99 AND u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled
  ORDER BY u.id
`;

export const STATES = [
  "active",
  "pending",
  "disabled",
  "silenced",
  "suspended",
  "sensitized",
] as const;
export type State = (typeof STATES)[number];

export type AccountFilter = {
  origin: "local" | "remote" | null;
  states: State[];
  /** Those with a role of the staff. */
  staff: boolean;
  roleIds: string[] | null;
  /** The account whose invitation they came by. */
  invitedBy: string | null;
  username: string | null;
  displayName: string | null;
  domain: string | null;
  email: string | null;
  /** A network. */
  ip: string | null;
};

/** Written out, so that the partial indexes serve them. */
const ofState = (db: Db, state: State): Fragment =>
  ({
    active: db`a.suspended_at IS NULL AND coalesce(u.approved AND NOT u.disabled, true)`,
    pending: db`u.id IS NOT NULL AND NOT u.approved`,
    disabled: db`u.id IS NOT NULL AND u.disabled`,
    silenced: db`a.silenced_at IS NOT NULL`,
    suspended: db`a.suspended_at IS NOT NULL`,
    sensitized: db`a.sensitized_at IS NOT NULL`,
  })[state];

/** Text from `prefix` up to what no longer begins with it. */
const beginsWith = (db: Db, column: Fragment, prefix: string): Fragment => {
  const text = prefix.toLowerCase();
  return db`${column} COLLATE "C" >= ${text} AND ${column} COLLATE "C" < ${`${text}\u{10ffff}`}`;
};

/** The least: where only people of this server can be meant, their rows lead. */
const needsUser = ({ states, staff, roleIds, invitedBy, email, ip }: AccountFilter): boolean =>
  staff ||
  roleIds !== null ||
  invitedBy !== null ||
  email !== null ||
  ip !== null ||
  states.some((state) => state === "pending" || state === "disabled");

const conditions = (db: Db, filter: AccountFilter): Fragment => db`
  ${filter.origin === "local" ? db`AND a.domain IS NULL` : db``}
  ${filter.origin === "remote" ? db`AND a.domain IS NOT NULL` : db``}
  ${filter.states.reduce((all, state) => db`${all} AND ${ofState(db, state)}`, db``)}
  ${filter.staff ? db`AND u.role_id <> -99` : db``}
  ${filter.roleIds === null ? db`` : db`AND u.role_id = ANY(${filter.roleIds}::bigint[])`}
  ${filter.invitedBy === null ? db`` : db`AND u.invite_id IN (SELECT id FROM invites WHERE account_id = ${filter.invitedBy})`}
  ${filter.username === null ? db`` : db`AND ${beginsWith(db, db`lower(a.username::text)`, filter.username)}`}
  ${filter.displayName === null ? db`` : db`AND a.display_name <> '' AND ${beginsWith(db, db`left(lower(a.display_name), 100)`, filter.displayName.slice(0, 100))}`}
  ${filter.domain === null ? db`` : db`AND a.domain = ${filter.domain}`}
  ${filter.email === null ? db`` : db`AND ${beginsWith(db, db`lower(u.email::text)`, filter.email)}`}
  ${
    filter.ip === null
      ? db``
      : db`AND (u.sign_up_ip <<= ${filter.ip}::inet
          OR EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.ip <<= ${filter.ip}::inet))`
  }
`;

const MANY = "-99";

/** The accounts that one filter leaves, and the filters that are left then. */
type Lead = { ids: Fragment; rest: AccountFilter };

/**
 * The accounts that one selective filter leaves, by its index, or null. Read first: with a limit and an order by id the
 * planner would go through all accounts instead (200,000 accounts: 110 to 580 ms, this way 1 to 10).
 */
const candidates = (db: Db, filter: AccountFilter): Lead | null => {
  const without = (name: keyof AccountFilter, ids: Fragment): Lead => ({
    ids,
    rest: { ...filter, [name]: null },
  });
  const ofUsers = (condition: Fragment) =>
    db`SELECT account_id AS id FROM users WHERE ${condition}`;
  const { states, staff, roleIds, invitedBy, email, ip, username, displayName } = filter;
  if (states.includes("pending")) return { ids: ofUsers(db`NOT approved`), rest: filter };
  if (states.includes("disabled")) return { ids: ofUsers(db`disabled`), rest: filter };
  if (roleIds !== null && !roleIds.includes(MANY)) {
    return without("roleIds", ofUsers(db`role_id <> -99 AND role_id = ANY(${roleIds}::bigint[])`));
  }
  if (invitedBy !== null) {
    const invites = db`SELECT id FROM invites WHERE account_id = ${invitedBy}`;
    return without("invitedBy", ofUsers(db`invite_id IN (${invites})`));
  }
  if (staff) return { ids: ofUsers(db`role_id <> -99`), rest: filter };
  if (email !== null) {
    return without("email", ofUsers(beginsWith(db, db`lower(email::text)`, email)));
  }
  if (ip !== null) {
    const used = db`
      SELECT account_id AS id FROM users WHERE sign_up_ip <<= ${ip}::inet
      UNION SELECT u.account_id FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.ip <<= ${ip}::inet
    `;
    return without("ip", used);
  }
  if (username !== null) {
    const named = beginsWith(db, db`lower(username::text)`, username);
    return without("username", db`SELECT id FROM accounts WHERE ${named}`);
  }
  if (displayName === null) return null;
  const shown = beginsWith(db, db`left(lower(display_name), 100)`, displayName.slice(0, 100));
  return without("displayName", db`SELECT id FROM accounts WHERE display_name <> '' AND ${shown}`);
};

/** The newest first, unless the page goes up. */
export const selectAccountPage = async (
  db: Db,
  filter: AccountFilter,
  page: Page,
): Promise<string[]> => {
  const lead = candidates(db, filter);
  const rest = lead?.rest ?? filter;
  const join = needsUser(rest) ? db`JOIN` : db`LEFT JOIN`;
  const rows = await db<{ id: string }[]>`
    ${lead === null ? db`` : db`WITH chosen AS MATERIALIZED (${lead.ids})`}
    SELECT a.id
    FROM ${lead === null ? db`accounts a` : db`chosen c JOIN accounts a ON a.id = c.id`}
    ${join} users u ON u.account_id = a.id
    WHERE a.id > ${lowerBound(page)} AND a.id < ${upperBound(page)} ${conditions(db, rest)}
    ORDER BY a.id ${ascending(page) ? db`ASC` : db`DESC`} LIMIT ${page.limit}
  `;
  return rows.map(({ id }) => id);
};

/** What an account wrote, the newest first, without boosts. */
export const selectPostsOf = async (db: Db, accountId: string, page: Page): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM statuses
    WHERE account_id = ${accountId} AND id < ${upperBound(page)} AND reblog_of_id IS NULL
    ORDER BY id DESC LIMIT ${page.limit}
  `;
  return rows.map(({ id }) => id);
};

/** The address and the account of a person here, to be blocked. */
export const selectAddress = async (db: Db, accountId: string): Promise<string | null> => {
  const [row] = await db<{ email: string }[]>`
    SELECT email::text AS email FROM users WHERE account_id = ${accountId}
  `;
  return row?.email ?? null;
};

export type ModerationNoteRow = {
  id: string;
  target_account_id: string;
  account_id: string | null;
  text: string;
  created_at: Date;
};

export const selectModerationNotesOf = (db: Db, targetId: string, limit: number) => db<
  ModerationNoteRow[]
>`
  SELECT * FROM account_remarks WHERE target_account_id = ${targetId}
  ORDER BY id DESC LIMIT ${limit}
`;

export const selectModerationNote = async (
  db: Db,
  id: string,
): Promise<ModerationNoteRow | null> => {
  const [row] = await db<ModerationNoteRow[]>`SELECT * FROM account_remarks WHERE id = ${id}`;
  return row ?? null;
};

export type NewModerationNote = {
  targetId: string;
  accountId: string | null;
  text: string;
  at: Date;
};

export const insertModerationNote = (
  db: Db,
  { targetId, accountId, text, at }: NewModerationNote,
) => db`
  INSERT INTO account_remarks (target_account_id, account_id, text, created_at)
  VALUES (${targetId}, ${accountId}, ${text}, ${at})
`;

export const deleteModerationNote = (db: Db, id: string) =>
  db`DELETE FROM account_remarks WHERE id = ${id}`;

export type RecentPost = {
  id: string;
  account_id: string;
  content: string;
  spoiler_text: string;
  created_at: Date;
  mention_ids: string[];
  /** Everybody may see it. */
  open: boolean;
};

/** Newest first; boosts have no text of their own. */
export const selectRecentPosts = (
  db: Db,
  range: { from: string; below: string },
  limit: number,
) => db<RecentPost[]>`
  SELECT s.id, s.account_id, s.content, s.spoiler_text, s.created_at, ${openTo(db, "here", "s")} AS open,
    ARRAY(SELECT m.account_id::text FROM mentions m WHERE m.status_id = s.id) AS mention_ids
  FROM statuses s
  WHERE s.id >= ${range.from} AND s.id < ${range.below} AND s.reblog_of_id IS NULL
  ORDER BY s.id DESC LIMIT ${limit}
`;

export const selectAnOwner = async (db: Db): Promise<string | null> => {
  const [row] = await db<{ account_id: string }[]>`
    SELECT account_id FROM users WHERE role_id = 3 ORDER BY id LIMIT 1
  `;
  return row?.account_id ?? null;
};
