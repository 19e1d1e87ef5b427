// All SQL of the settings slice.

import type { Db } from "../../../platform/db/index.ts";

/** Selects the stored values of these names; names that were never set are absent. */
export const selectSettings = (db: Db, names: string[]) => db<{ name: string; value: unknown }[]>`
  SELECT name, value FROM settings WHERE name = ANY(${names})
`;

export const selectAllSettings = (db: Db) => db<{ name: string; value: unknown }[]>`
  SELECT name, value FROM settings
`;

export const upsertSetting = (db: Db, name: string, value: unknown) => db`
  INSERT INTO settings (name, value) VALUES (${name}, ${db.json(value as never)})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value
`;

/** Leaves an existing value as it is. */
export const insertSetting = (db: Db, name: string, value: unknown) => db`
  INSERT INTO settings (name, value) VALUES (${name}, ${db.json(value as never)})
  ON CONFLICT (name) DO NOTHING
`;

export const deleteSetting = (db: Db, name: string) =>
  db`DELETE FROM settings WHERE name = ${name}`;

export const deleteSettingValue = (db: Db, name: string, value: unknown) => db`
  DELETE FROM settings WHERE name = ${name} AND value = ${db.json(value as never)} RETURNING name
`;
