// SQL of the moderation slice: the staff, posts of an account, notes of moderators about accounts, dry runs of rules
// against spam. The lists of accounts are in queries-accounts.ts.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import { upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { openTo, visibilityColumns } from "../../posts/statuses/fragments.ts";
import type { VisibilityFacts } from "../../posts/statuses/visibility.ts";

export type ModeratorRow = {
  user_id: string;
  account_id: string;
  email: string;
  username: string;
  locale: string;
};

/** Selects active people whose role has one of the permission bits. */
export const selectStaff = (db: Db, bits: number) => db<ModeratorRow[]>`
  SELECT u.id AS user_id, u.account_id, u.email::text AS email, a.username::text AS username, u.locale
  FROM users u
  JOIN roles r ON r.id = u.role_id AND r.permissions & ${bits}::bigint <> 0
  JOIN accounts a ON a.id = u.account_id AND a.suspended_at IS NULL
  WHERE u.role_id <> -99 AND u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled
  ORDER BY u.id
`;

/** Selects posts of an account, the newest first, without boosts. */
export const selectPostsOf = (db: Db, accountId: string, page: Page): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses
    WHERE account_id = ${accountId} AND id < ${upperBound(page)} AND reblog_of_id IS NULL
    ORDER BY id DESC LIMIT ${page.limit}
  `);

/** Selects the address and the account of a local person, to be blocked. */
export const selectAddress = (db: Db, accountId: string): Promise<string | null> =>
  firstValue(db<{ email: string }[]>`
    SELECT email::text AS email FROM users WHERE account_id = ${accountId}
  `);

export type NoteSubject = { targetId: string; reportId: string | null };

export type ModerationNoteRow = {
  id: string;
  target_account_id: string;
  account_id: string | null;
  /** Id of the report that it is about; null where it is about the account as such. */
  report_id: string | null;
  text: string;
  created_at: Date;
};

/** Selects all about the account. */
export const selectModerationNotesOf = (db: Db, targetId: string, limit: number) => db<
  ModerationNoteRow[]
>`
  SELECT * FROM account_remarks WHERE target_account_id = ${targetId}
  ORDER BY id DESC LIMIT ${limit}
`;

export const selectNotesOnReport = (db: Db, reportId: string, limit: number) => db<
  ModerationNoteRow[]
>`
  SELECT * FROM account_remarks WHERE report_id = ${reportId}
  ORDER BY id DESC LIMIT ${limit}
`;

/** Counts notes of one report, or (null) about the account as such. An account has few, so that its index is enough. */
export const countModerationNotes = (db: Db, { targetId, reportId }: NoteSubject) =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM account_remarks
    WHERE target_account_id = ${targetId} AND report_id IS NOT DISTINCT FROM ${reportId}::bigint
  `);

export const selectModerationNote = (db: Db, id: string): Promise<ModerationNoteRow | null> =>
  firstRow(db<ModerationNoteRow[]>`SELECT * FROM account_remarks WHERE id = ${id}`);

type NewModerationNote = NoteSubject & {
  accountId: string | null;
  text: string;
  at: Date;
};

export const insertModerationNote = (
  db: Db,
  { targetId, reportId, accountId, text, at }: NewModerationNote,
) => db`
  INSERT INTO account_remarks (target_account_id, report_id, account_id, text, created_at)
  VALUES (${targetId}, ${reportId}, ${accountId}, ${text}, ${at})
`;

export const deleteModerationNote = (db: Db, id: string) =>
  db`DELETE FROM account_remarks WHERE id = ${id}`;

export type RecentPost = VisibilityFacts & {
  id: string;
  account_id: string;
  content: string;
  spoiler_text: string;
  created_at: Date;
  mentions: { accountId: string; silent: boolean }[];
  event: { name: string; place: string | null } | null;
  options: string[] | null;
  descriptions: string[];
  /** Whether everybody may see it. */
  open: boolean;
};

/** Selects the newest first, without boosts, which have no text of their own. */
export const selectRecentPosts = (
  db: Db,
  range: { from: string; below: string },
  limit: number,
) => db<RecentPost[]>`
  SELECT s.id, s.account_id, s.content, s.spoiler_text, s.created_at, ${visibilityColumns(db)},
    ${openTo(db, "here", "s")} AS open, p.options,
    (SELECT to_jsonb(e) FROM (SELECT name, place FROM status_events WHERE status_id = s.id) e) AS event,
    ARRAY(SELECT f.description FROM media_attachments f
      WHERE f.status_id = s.id AND f.description IS NOT NULL ORDER BY f.position) AS descriptions,
    coalesce((SELECT jsonb_agg(jsonb_build_object('accountId', m.account_id::text, 'silent', m.silent))
      FROM mentions m WHERE m.status_id = s.id), '[]') AS mentions
  FROM statuses s LEFT JOIN polls p ON p.status_id = s.id
  WHERE s.id >= ${range.from} AND s.id < ${range.below} AND s.reblog_of_id IS NULL
  ORDER BY s.id DESC LIMIT ${limit}
`;

export const selectAnOwner = (db: Db): Promise<string | null> =>
  firstValue(db<{ account_id: string }[]>`
    SELECT account_id FROM users WHERE role_id = 3 ORDER BY id LIMIT 1
  `);
