// All SQL about the providers themselves.

import type { Db } from "../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../platform/db/rows.ts";
import type { ProviderRow } from "./tables.ts";

export const selectProviders = (db: Db) => db<ProviderRow[]>`
  SELECT * FROM fasp_providers ORDER BY confirmed_at IS NOT NULL, id DESC
`;

export const selectProvider = (db: Db, id: string): Promise<ProviderRow | null> =>
  firstRow(db<ProviderRow[]>`SELECT * FROM fasp_providers WHERE id = ${id}`);

type NewProvider = Pick<
  ProviderRow,
  "name" | "base_url" | "server_id" | "public_key" | "private_key" | "created_at"
>;

export const insertProvider = (db: Db, provider: NewProvider): Promise<string> =>
  onlyValue(db<{ id: string }[]>`INSERT INTO fasp_providers ${db(provider)} RETURNING id`);

/** Deletes those that wait for the staff, except for the newest ones. */
export const deleteExcess = (db: Db, kept: number) => db`
  DELETE FROM fasp_providers WHERE id IN (
    SELECT id FROM fasp_providers WHERE confirmed_at IS NULL ORDER BY id DESC OFFSET ${kept}
  )
`;

/** Deletes those that nobody confirmed since. */
export const deleteUnconfirmed = (db: Db, before: Date) => db`
  DELETE FROM fasp_providers WHERE confirmed_at IS NULL AND created_at < ${before}
`;

type Change = Pick<ProviderRow, "capabilities"> &
  Partial<Pick<ProviderRow, "sign_in_url" | "privacy_url" | "confirmed_at">>;

export const updateProvider = (db: Db, id: string, { capabilities, ...change }: Change) => db`
  UPDATE fasp_providers SET ${db({ capabilities: db.json(capabilities), ...change })}
  WHERE id = ${id}
`;

export const deleteProvider = (db: Db, id: string) =>
  db`DELETE FROM fasp_providers WHERE id = ${id}`;
