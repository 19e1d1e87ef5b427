// SQL of invitations.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue } from "../../../platform/db/rows.ts";
import { MAX_ID } from "../../../platform/ids/index.ts";
import type { Page } from "../../../platform/db/paging.ts";

export type InviteRow = {
  id: string;
  account_id: string;
  username: string;
  code: string;
  max_uses: number | null;
  uses: number;
  expires_at: Date | null;
  created_at: Date;
};

const columns = (db: Db) =>
  db`i.id, i.account_id, a.username::text AS username, i.code, i.max_uses, i.uses, i.expires_at, i.created_at`;

/** Accepts invitations with uses left, that have not expired, and whose maker may use this server. */
const isUsable = (db: Db, now: Date) => db`
  (i.max_uses IS NULL OR i.uses < i.max_uses) AND (i.expires_at IS NULL OR i.expires_at > ${now})
  AND EXISTS (
    SELECT FROM accounts b JOIN users u ON u.account_id = b.id
    WHERE b.id = i.account_id AND b.suspended_at IS NULL AND NOT u.disabled
  )
`;

type NewInvite = Pick<InviteRow, "account_id" | "code" | "max_uses" | "expires_at">;

export const insertInvite = (db: Db, invite: NewInvite, at: Date): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO invites ${db({ ...invite, created_at: at })} RETURNING id
  `);

/** Selects invitations of one account, or of all; the newest first. */
export const selectInvites = (
  db: Db,
  accountId: string | null,
  { maxId, limit }: Pick<Page, "maxId" | "limit">,
) => db<InviteRow[]>`
  SELECT ${columns(db)} FROM invites i JOIN accounts a ON a.id = i.account_id
  WHERE i.id < ${maxId ?? MAX_ID} ${accountId === null ? db`` : db`AND i.account_id = ${accountId}`}
  ORDER BY i.id DESC LIMIT ${limit}
`;

export const selectUsable = (db: Db, code: string, now: Date): Promise<InviteRow | null> =>
  firstRow(db<InviteRow[]>`
    SELECT ${columns(db)} FROM invites i JOIN accounts a ON a.id = i.account_id
    WHERE i.code = ${code} AND ${isUsable(db, now)}
  `);

/** Counts a use; returns false where there is none left. */
export const takeUse = (db: Db, id: string, now: Date): Promise<boolean> =>
  hasRows(db`
    UPDATE invites i SET uses = i.uses + 1 WHERE i.id = ${id} AND ${isUsable(db, now)}
  `);

/** Ends an invitation now; returns its maker, or null where there is none that is still valid. */
export const endInvite = (db: Db, id: string, accountId: string | null, now: Date) =>
  firstRow(db<InviteRow[]>`
    UPDATE invites i SET expires_at = ${now} FROM accounts a
    WHERE i.id = ${id} AND a.id = i.account_id
      ${accountId === null ? db`` : db`AND i.account_id = ${accountId}`}
      AND (i.expires_at IS NULL OR i.expires_at > ${now})
    RETURNING ${columns(db)}
  `);

export const countInvites = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM invites WHERE account_id = ${accountId}
  `);

/** Deletes unused invitations that ended a month ago, since the number of a person's invitations is limited. */
export const deleteUnused = (db: Db, accountId: string, before: Date) => db`
  DELETE FROM invites WHERE account_id = ${accountId} AND uses = 0 AND expires_at < ${before}
`;
