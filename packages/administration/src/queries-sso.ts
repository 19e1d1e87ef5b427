// SQL of `rookery sso …`.

import type { Db, ProviderRow } from "./uses.ts";

export const insertSsoProvider = async (
  db: Db,
  { settings, ...row }: Omit<ProviderRow, "id">,
): Promise<string> => {
  const [inserted] = await db<{ id: string }[]>`
    INSERT INTO sso_providers ${db({ ...row, settings: db.json(settings as never) } as never)} RETURNING id
  `;
  return inserted!.id;
};

export const deleteSsoProvider = (db: Db, id: string) =>
  db`DELETE FROM sso_providers WHERE id = ${id}`;
