// All SQL of the conversations slice.

import { deleteSliceOf } from "../../../platform/db/delete-older.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, hasRows } from "../../../platform/db/rows.ts";
import { ascending, inPage, lowerBound, upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { isMentionAccepted, isUnblocked, isWanted } from "../notifications/fragments.ts";
import { isDirect } from "../../posts/statuses/fragments.ts";
import type { ConversationRow } from "./tables.ts";

const columns = (db: Db) => db`
  id, account_id, participant_ids::text[] AS participant_ids, last_status_id, unread
`;

/**
 * Selects conversations, the one with the newest last status first, which pages the list: none with people whom one has
 * blocked or muted since. What was said with somebody who blocks one stays.
 */
export const selectConversations = (db: Db, accountId: string, page: Page, now: Date) => db<
  (ConversationRow & { page_id: string })[]
>`
  SELECT ${columns(db)}, last_status_id AS page_id FROM account_conversations c
  WHERE account_id = ${accountId} AND NOT EXISTS (
    SELECT FROM unnest(c.participant_ids) AS other (id)
    WHERE NOT (${isWanted(db, db`${accountId}`, db`other.id`, now)})
  ) AND ${inPage(db, page, "last_status_id")}
`;

/** Returns null unless it is this person's. */
export const updateUnread = (db: Db, accountId: string, id: string, unread: boolean) =>
  firstRow(db<ConversationRow[]>`
    UPDATE account_conversations SET unread = ${unread}
    WHERE id = ${id} AND account_id = ${accountId}
    RETURNING ${columns(db)}
  `);

export const deleteConversation = (db: Db, accountId: string, id: string) =>
  hasRows(db`
    DELETE FROM account_conversations WHERE id = ${id} AND account_id = ${accountId}
  `);

/** Deletes a slice of a person's conversations; returns true when there may be more. */
export const deleteSlice = (db: Db, accountId: string): Promise<boolean> =>
  deleteSliceOf(db, "account_conversations", "account_id", accountId);

/** A status in the conversation of one person. */
export type Entry = {
  accountId: string;
  conversationId: string;
  /** Ids of the other participants, ascending, as PostgreSQL writes a list. */
  participants: string;
  statusId: string;
  authorId: string;
};

/**
 * Makes the condition that the person's policy does not hold the status back, or its notification was accepted. One's
 * own statuses always count.
 */
const isAccepted = (db: Db, now: Date) => db`
  (w."accountId" = w."authorId" OR coalesce((
    SELECT ${isMentionAccepted(db, now)}
    FROM accounts r
    JOIN accounts s ON s.id = w."authorId"
    JOIN statuses t ON t.id = w."statusId"
    LEFT JOIN notification_policies y ON y.account_id = r.id
    WHERE r.id = w."accountId"
  ), false))
`;

/**
 * Inserts or updates the conversations of these entries; returns those whose last status changed. Of several entries of
 * one conversation the newest counts; a repeated call changes nothing. In threads that the person muted nothing becomes
 * unread.
 */
export const upsertConversations = (db: Db, entries: Entry[], now: Date) => db<ConversationRow[]>`
  WITH entry AS (
    SELECT
      "accountId" AS account_id, "conversationId" AS conversation_id,
      participants::bigint[] AS participant_ids, "statusId" AS status_id,
      "accountId" <> "authorId" AND NOT EXISTS (
        SELECT FROM conversation_mutes m
        WHERE m.account_id = w."accountId" AND m.conversation_id = w."conversationId"
      ) AS unread
    FROM jsonb_to_recordset(${db.json(entries)}) AS w (
      "accountId" bigint, "conversationId" bigint, participants text, "statusId" bigint,
      "authorId" bigint
    )
    WHERE ${isUnblocked(db, db`w."accountId"`, db`w."authorId"`, now)} AND ${isAccepted(db, now)}
      AND EXISTS (SELECT FROM statuses s WHERE s.id = w."statusId")
  ), upserted AS (
    INSERT INTO account_conversations AS c
      (account_id, conversation_id, participant_ids, last_status_id, unread)
    SELECT DISTINCT ON (account_id, conversation_id, participant_ids)
      account_id, conversation_id, participant_ids, status_id, unread
    FROM entry
    ORDER BY account_id, conversation_id, participant_ids, status_id DESC
    ON CONFLICT (account_id, conversation_id, hash_array_extended(participant_ids, 0))
    DO UPDATE SET
      last_status_id = greatest(c.last_status_id, excluded.last_status_id),
      unread = CASE WHEN excluded.last_status_id > c.last_status_id
        THEN excluded.unread ELSE c.unread END
    RETURNING id, account_id, conversation_id, participant_ids, last_status_id, unread
  ), new_links AS (
    INSERT INTO account_conversation_statuses (account_conversation_id, status_id)
    SELECT w.id, e.status_id
    FROM entry e JOIN upserted w USING (account_id, conversation_id, participant_ids)
    ON CONFLICT (account_conversation_id, status_id) DO NOTHING
    RETURNING account_conversation_id AS id, status_id
  )
  SELECT ${columns(db)} FROM upserted w
  WHERE EXISTS (SELECT FROM new_links l WHERE l.id = w.id AND l.status_id = w.last_status_id)
`;

/**
 * Selects all direct statuses that the person wrote or is mentioned in, also those of strangers, which conversations
 * hold back.
 */
export const selectDirect = (db: Db, page: Page, accountId: string) => {
  const order = ascending(page) ? db`ASC` : db`DESC`;
  return db<{ id: string }[]>`
    SELECT id FROM (
      (SELECT s.id FROM statuses s
      WHERE s.account_id = ${accountId} AND ${isDirect(db)}
        AND s.id > ${lowerBound(page)} AND s.id < ${upperBound(page)}
      ORDER BY s.id ${order} LIMIT ${page.limit})
      UNION
      (SELECT m.status_id FROM mentions m
      WHERE m.account_id = ${accountId} AND m.direct
        AND m.status_id > ${lowerBound(page)} AND m.status_id < ${upperBound(page)}
      ORDER BY m.status_id ${order} LIMIT ${page.limit})
    ) t
    ORDER BY id ${order}
    LIMIT ${page.limit}
  `;
};
