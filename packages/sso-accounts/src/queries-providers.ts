// SQL of what the staff does with providers.

import { onlyValue, valuesOf } from "./uses.ts";
import type { Db, ProviderRow } from "./uses.ts";

type NewProvider = Omit<ProviderRow, "id">;

const columnsOf = (db: Db, { settings, ...row }: Partial<NewProvider>) =>
  db({ ...row, settings: db.json(settings as never) } as never);

export const insertProvider = (db: Db, row: NewProvider): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO sso_providers ${columnsOf(db, row)} RETURNING id
  `);

export const updateProvider = (db: Db, id: string, row: Omit<NewProvider, "created_at">) => db`
  UPDATE sso_providers SET ${columnsOf(db, row)} WHERE id = ${id}
`;

export const deleteProvider = (db: Db, id: string) =>
  db`DELETE FROM sso_providers WHERE id = ${id}`;

export const countPeople = (db: Db, issuer: string) =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(DISTINCT user_id)::int AS count FROM sso_identities WHERE issuer = ${issuer}
  `);

export const selectPeopleOf = (db: Db, issuer: string) =>
  valuesOf(db<{ user_id: string }[]>`
    SELECT DISTINCT user_id FROM sso_identities WHERE issuer = ${issuer}
  `);

export const selectSessionsOf = (db: Db, issuer: string) =>
  valuesOf(db<{ session_id: string }[]>`
    SELECT s.session_id FROM sso_sessions s JOIN sso_identities i ON i.id = s.identity_id
    WHERE i.issuer = ${issuer}
  `);

/** Deletes what the provider would be asked by. */
export const deleteTokensOf = (db: Db, issuer: string) => db`
  UPDATE sso_identities SET sealed_token = NULL, checked_at = NULL
  WHERE issuer = ${issuer} AND checked_at IS NOT NULL
`;
