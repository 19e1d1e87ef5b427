// SQL of the proofs of profile links.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { AccountField } from "./tables.ts";

export type FieldsRow = {
  domain: string | null;
  url: string;
  uri: string;
  suspended_at: Date | null;
  fields: AccountField[];
  links_checked_at: Date | null;
};

export const selectFields = async (db: Db, accountId: string): Promise<FieldsRow | null> => {
  const [row] = await db<FieldsRow[]>`
    SELECT domain, url, uri, suspended_at, fields, links_checked_at
    FROM accounts WHERE id = ${accountId}
  `;
  return row ?? null;
};

/** As selectFields; nobody else changes the row before the transaction ends. */
export const lockFields = async (db: Db, accountId: string): Promise<AccountField[]> => {
  const [row] = await db<{ fields: AccountField[] }[]>`
    SELECT fields FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE
  `;
  return row?.fields ?? [];
};

export const updateProofs = async (
  db: Db,
  accountId: string,
  fields: AccountField[],
  at: Date,
): Promise<void> => {
  await db`
    UPDATE accounts SET fields = ${db.json(fields)}, links_checked_at = ${at}
    WHERE id = ${accountId}
  `;
  invalidate(db, `account:${accountId}`);
};
