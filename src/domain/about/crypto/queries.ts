// All SQL of the crypto slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { ClaimedKey, DeviceRow, MessageRow, NewMessage, OneTimeKey } from "./tables.ts";

const columns = (db: Db) =>
  db`d.id, d.account_id, d.device_id, d.name, d.fingerprint_key, d.identity_key`;

/** Deletes another device of the token, and the device under another token. */
export const deleteOtherDevices = (db: Db, accountId: string, tokenId: string, deviceId: string) =>
  db`
  DELETE FROM crypto_devices
  WHERE account_id = ${accountId} AND (token_id = ${tokenId}) <> (device_id = ${deviceId})
`;

type NewDevice = Omit<DeviceRow, "id"> & { token_id: string };

export const upsertDevice = (db: Db, device: NewDevice): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO crypto_devices ${db(device)}
    ON CONFLICT (token_id) DO UPDATE SET
      name = excluded.name, fingerprint_key = excluded.fingerprint_key,
      identity_key = excluded.identity_key
    RETURNING id
  `);

/** Leaves existing ids unchanged; adds none beyond `max`. */
export const insertKeys = (db: Db, deviceId: string, keys: OneTimeKey[], max: number) => db`
  INSERT INTO crypto_one_time_keys (device_id, key_id, key, signature)
  SELECT ${deviceId}::bigint, k.key_id, k.key, k.signature
  FROM unnest(
    ${keys.map((key) => key.key_id)}::text[], ${keys.map((key) => key.key)}::text[],
    ${keys.map((key) => key.signature)}::text[]
  ) AS k (key_id, key, signature)
  WHERE (SELECT count(*) FROM crypto_one_time_keys WHERE device_id = ${deviceId}) + ${keys.length} <= ${max}
  ON CONFLICT (device_id, key_id) DO NOTHING
`;

export const selectDeviceByToken = (db: Db, tokenId: string): Promise<DeviceRow | null> =>
  firstRow(db<DeviceRow[]>`
    SELECT ${columns(db)} FROM crypto_devices d WHERE d.token_id = ${tokenId}
  `);

/** Accepts accounts that are not suspended, without a block of the viewer, and with a valid token. */
const reachable = (db: Db, viewerId: string) => db`
  JOIN accounts a ON a.id = d.account_id AND a.suspended_at IS NULL
  JOIN oauth_tokens t ON t.id = d.token_id AND t.revoked_at IS NULL
  WHERE NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = d.account_id AND b.target_account_id = ${viewerId}
  )
`;

export const selectDevices = (db: Db, viewerId: string, accountIds: string[]) => db<DeviceRow[]>`
  SELECT ${columns(db)} FROM crypto_devices d ${reachable(db, viewerId)}
    AND d.account_id = ANY(${accountIds}::bigint[])
  ORDER BY d.id
`;

type DeviceName = { account_id: string; device_id: string };

/** Takes one key of each device; two claims at once get different ones. */
export const takeKeys = (db: Db, viewerId: string, devices: DeviceName[]) => db<ClaimedKey[]>`
  WITH devices AS (
    SELECT ${columns(db)} FROM crypto_devices d ${reachable(db, viewerId)}
      AND (d.account_id, d.device_id) IN (
        SELECT * FROM unnest(
          ${devices.map((device) => device.account_id)}::bigint[],
          ${devices.map((device) => device.device_id)}::text[]
        )
      )
  ), picked AS (
    SELECT k.id, d.account_id, d.device_id
    FROM devices d CROSS JOIN LATERAL (
      SELECT id FROM crypto_one_time_keys WHERE device_id = d.id
      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) k
  )
  DELETE FROM crypto_one_time_keys k USING picked p WHERE k.id = p.id
  RETURNING p.account_id, p.device_id, k.key_id, k.key, k.signature
`;

export const countKeys = (db: Db, tokenId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM crypto_one_time_keys k
    JOIN crypto_devices d ON d.id = k.device_id WHERE d.token_id = ${tokenId}
  `);

/** Leaves out unknown devices, and those that have `max` messages. */
export const insertMessages = (db: Db, from: DeviceRow, messages: NewMessage[], max: number) => db`
  INSERT INTO crypto_messages
    (device_id, from_account_id, from_device_id, type, body, digest, message_franking)
  SELECT d.id, ${from.account_id}::bigint, ${from.device_id}, m.type, m.body, m.hmac, m.franking
  FROM unnest(
    ${messages.map((message) => message.account_id)}::bigint[],
    ${messages.map((message) => message.device_id)}::text[], ${messages.map((message) => message.type)}::int[],
    ${messages.map((message) => message.body)}::text[], ${messages.map((message) => message.hmac)}::text[],
    ${messages.map((message) => message.franking)}::text[]
  ) AS m (account_id, device_name, type, body, hmac, franking)
  JOIN crypto_devices d ON d.account_id = m.account_id AND d.device_id = m.device_name
  ${reachable(db, from.account_id)}
    AND (SELECT count(*) FROM crypto_messages w WHERE w.device_id = d.id) < ${max}
`;

export const selectMessages = (db: Db, tokenId: string, page: Page) => db<MessageRow[]>`
  SELECT m.id, m.from_account_id, m.from_device_id, m.type, m.body, m.digest, m.message_franking
  FROM crypto_messages m JOIN crypto_devices d ON d.id = m.device_id
  WHERE d.token_id = ${tokenId} AND ${inPage(db, page, "m.id")}
`;

export const deleteMessages = (db: Db, tokenId: string, upToId: string) => db`
  DELETE FROM crypto_messages m USING crypto_devices d
  WHERE d.id = m.device_id AND d.token_id = ${tokenId} AND m.id <= ${upToId}
`;
