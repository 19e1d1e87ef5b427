// SQL of the second factors: secrets of codes, recovery codes, passkeys.

import type { Db } from "../../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue, valuesOf } from "../../../../platform/db/rows.ts";

/** Stores a secret until its first code confirms it; returns false and changes nothing where one is confirmed. */
export const upsertTotpStart = (db: Db, userId: string, sealed: Buffer) =>
  hasRows(db`
    INSERT INTO totp_secrets (user_id, sealed) VALUES (${userId}, ${sealed})
    ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed
    WHERE totp_secrets.confirmed_at IS NULL
    RETURNING user_id
  `);

export const selectTotp = (db: Db, userId: string) =>
  firstRow(db<{ sealed: Buffer; confirmed: boolean }[]>`
    SELECT sealed, confirmed_at IS NOT NULL AS confirmed FROM totp_secrets WHERE user_id = ${userId}
  `);

/** Marks the time step of a code as used; returns false when it, or a later one, was used before. */
export const takeTotpStep = (db: Db, userId: string, step: number) =>
  hasRows(db`
    UPDATE totp_secrets SET last_step = ${step}
    WHERE user_id = ${userId} AND last_step < ${step} AND confirmed_at IS NOT NULL
    RETURNING user_id
  `);

export const confirmTotpStart = (db: Db, userId: string, step: number, at: Date) =>
  hasRows(db`
    UPDATE totp_secrets SET last_step = ${step}, confirmed_at = ${at}
    WHERE user_id = ${userId} AND confirmed_at IS NULL
    RETURNING user_id
  `);

export const deleteTotp = (db: Db, userId: string) =>
  db`DELETE FROM totp_secrets WHERE user_id = ${userId}`;

export const deleteRecoveryCodes = (db: Db, userId: string) =>
  db`DELETE FROM recovery_codes WHERE user_id = ${userId}`;

export const insertRecoveryCodes = (db: Db, userId: string, hashes: Buffer[]) =>
  db`INSERT INTO recovery_codes ${db(hashes.map((code_hash) => ({ user_id: userId, code_hash })))}`;

/** Marks a code as used; returns false when there is no such code, or it was used before. */
export const takeRecoveryCode = (db: Db, userId: string, hash: Buffer, at: Date) =>
  hasRows(db`
    UPDATE recovery_codes SET used_at = ${at}
    WHERE user_id = ${userId} AND code_hash = ${hash} AND used_at IS NULL
    RETURNING user_id
  `);

/** Selects codes that came from a Mastodon as bcrypt hashes: texts that are longer than our hashes, and few. */
export const selectOldRecoveryCodes = (db: Db, userId: string): Promise<Buffer[]> =>
  valuesOf(db<{ code_hash: Buffer }[]>`
    SELECT code_hash FROM recovery_codes
    WHERE user_id = ${userId} AND used_at IS NULL AND length(code_hash) = 60
    LIMIT 20
  `);

export const countRecoveryCodes = (db: Db, userId: string) =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL
  `);

export type PasskeyRow = {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: string;
  transports: string[];
  name: string;
  created_at: Date;
  used_at: Date | null;
};

type NewPasskey = Omit<PasskeyRow, "id" | "used_at" | "counter"> & { counter: number };

const passkeyColumns = (db: Db) =>
  db`id, user_id, credential_id, public_key, counter, transports, name, created_at, used_at`;

/** Returns false when the passkey is registered already. */
export const insertPasskey = (db: Db, passkey: NewPasskey) =>
  hasRows(db`
    INSERT INTO passkeys ${db(passkey)} ON CONFLICT (credential_id) DO NOTHING RETURNING id
  `);

export const selectPasskeys = (db: Db, userId: string) => db<PasskeyRow[]>`
  SELECT ${passkeyColumns(db)} FROM passkeys WHERE user_id = ${userId} ORDER BY id
`;

export const selectPasskey = (db: Db, credentialId: string) =>
  firstRow(db<PasskeyRow[]>`
    SELECT ${passkeyColumns(db)} FROM passkeys WHERE credential_id = ${credentialId}
  `);

export const deletePasskeysOf = (db: Db, userId: string) =>
  db`DELETE FROM passkeys WHERE user_id = ${userId}`;

/** Records a use; returns false when the counter has changed since it was read. */
export const updatePasskeyUse = (
  db: Db,
  id: string,
  counter: { from: string; to: number },
  at: Date,
) =>
  hasRows(db`
    UPDATE passkeys SET counter = ${counter.to}, used_at = ${at}
    WHERE id = ${id} AND counter = ${counter.from}
    RETURNING id
  `);

export const deletePasskey = (db: Db, userId: string, id: string) =>
  hasRows(db`DELETE FROM passkeys WHERE user_id = ${userId} AND id = ${id} RETURNING id`);
