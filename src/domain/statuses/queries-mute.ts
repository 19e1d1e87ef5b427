// SQL of muted conversations.

import type { Db } from "../../platform/db/index.ts";

export const selectMutedConversations = async (db: Db, accountId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT conversation_id AS id FROM conversation_mutes WHERE account_id = ${accountId}
  `;
  return rows.map(({ id }) => id);
};

export const insertConversationMute = async (db: Db, accountId: string, id: string) => {
  await db`
    INSERT INTO conversation_mutes (account_id, conversation_id) VALUES (${accountId}, ${id})
    ON CONFLICT (account_id, conversation_id) DO NOTHING
  `;
};

export const deleteConversationMute = async (db: Db, accountId: string, id: string) => {
  await db`
    DELETE FROM conversation_mutes WHERE account_id = ${accountId} AND conversation_id = ${id}
  `;
};
