// All SQL about the providers themselves.

import type { Db } from "../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../platform/db/rows.ts";
import type { ProviderRow, Wish } from "./tables.ts";

export const selectProviders = (db: Db) => db<ProviderRow[]>`
  SELECT * FROM fasp_providers ORDER BY confirmed_at IS NOT NULL, id DESC
`;

export const selectProvider = (db: Db, id: string): Promise<ProviderRow | null> =>
  firstRow(db<ProviderRow[]>`SELECT * FROM fasp_providers WHERE id = ${id}`);

type NewProvider = Pick<
  ProviderRow,
  "name" | "base_url" | "server_id" | "public_key" | "sealed_key" | "sender" | "created_at"
>;

export const insertProvider = (db: Db, provider: NewProvider): Promise<string> =>
  onlyValue(db<{ id: string }[]>`INSERT INTO fasp_providers ${db(provider)} RETURNING id`);

/** Deletes what the same provider sent before and still waits: only its key or its sender shows that it is the same. */
export const deleteFormer = (db: Db, { base_url, public_key, sender }: NewProvider) => db`
  DELETE FROM fasp_providers WHERE confirmed_at IS NULL AND base_url = ${base_url}
    AND (public_key = ${public_key} OR sender = ${sender})
`;

/** Deletes those that wait for the staff except for so many: the newest of each sender stay, then the next of each. */
export const deleteExcess = (db: Db, kept: number) => db`
  DELETE FROM fasp_providers WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY sender ORDER BY id DESC) AS nth
      FROM fasp_providers WHERE confirmed_at IS NULL
    ) AS waiting
    ORDER BY nth, id DESC OFFSET ${kept}
  )
`;

/** Deletes those that nobody confirmed since. */
export const deleteUnconfirmed = (db: Db, before: Date) => db`
  DELETE FROM fasp_providers WHERE confirmed_at IS NULL AND created_at < ${before}
`;

type Change = Pick<ProviderRow, "capabilities"> &
  Partial<Pick<ProviderRow, "sign_in_url" | "privacy_url" | "confirmed_at" | "sender">>;

export const updateProvider = (db: Db, id: string, { capabilities, ...change }: Change) => db`
  UPDATE fasp_providers SET ${db({ capabilities: db.json(capabilities), ...change })}
  WHERE id = ${id}
`;

export const updateWishes = (db: Db, id: string, wishes: Wish[]) =>
  db`UPDATE fasp_providers SET wishes = ${db.json(wishes)} WHERE id = ${id}`;

export const deleteProvider = (db: Db, id: string) =>
  db`DELETE FROM fasp_providers WHERE id = ${id}`;
