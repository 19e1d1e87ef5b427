// SQL of what moderators write about accounts.

import type { Db } from "../../platform/db/index.ts";

export type RemarkRow = {
  id: string;
  target_account_id: string;
  account_id: string | null;
  text: string;
  created_at: Date;
};

export const selectRemarksOf = (db: Db, targetId: string, limit: number) => db<RemarkRow[]>`
  SELECT * FROM account_remarks WHERE target_account_id = ${targetId}
  ORDER BY id DESC LIMIT ${limit}
`;

export const selectRemark = async (db: Db, id: string): Promise<RemarkRow | null> => {
  const [row] = await db<RemarkRow[]>`SELECT * FROM account_remarks WHERE id = ${id}`;
  return row ?? null;
};

export type NewRemark = { targetId: string; accountId: string | null; text: string; at: Date };

export const insertRemark = (db: Db, { targetId, accountId, text, at }: NewRemark) => db`
  INSERT INTO account_remarks (target_account_id, account_id, text, created_at)
  VALUES (${targetId}, ${accountId}, ${text}, ${at})
`;

export const deleteRemark = (db: Db, id: string) =>
  db`DELETE FROM account_remarks WHERE id = ${id}`;
