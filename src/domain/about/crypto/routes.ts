// Serves devices with their keys, and the mailbox of each. Paths and members are the contract's (group crypto).
// Messages stay on this server.

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { blank, invalidFields } from "../../../platform/errors.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { Type, paged, withBody } from "../../../platform/http/schema.ts";
import { readPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import { deliverMessages } from "./deliver.ts";
import {
  countKeys,
  deleteMessages,
  deleteOtherDevices,
  insertKeys,
  selectDevices,
  selectMessages,
  takeKeys,
  upsertDevice,
} from "./queries.ts";
import type { DeviceRow, MessageRow } from "./tables.ts";

const deviceEntity = (device: DeviceRow) => ({
  device_id: device.device_id,
  name: device.name,
  identity_key: device.identity_key,
  fingerprint_key: device.fingerprint_key,
});

const messageEntity = (message: MessageRow) => ({
  id: message.id,
  account_id: message.from_account_id,
  device_id: message.from_device_id,
  type: message.type,
  body: message.body,
  digest: message.digest,
  message_franking: message.message_franking,
});

const MAX_KEYS = 1000;
const MESSAGES = 80;

const Name = Type.String({ maxLength: 255 });
const Key = Type.String({ maxLength: 1000 });

const UploadBody = Type.Object({
  device: Type.Object({
    device_id: Name,
    name: Name,
    fingerprint_key: Key,
    identity_key: Key,
  }),
  one_time_keys: Type.Optional(
    Type.Array(Type.Object({ key_id: Name, key: Key, signature: Key }), { maxItems: 200 }),
  ),
});

const QueryBody = Type.Object({ id: Type.Optional(Type.Array(Type.String(), { maxItems: 200 })) });

const ClaimBody = Type.Object({
  device: Type.Optional(
    Type.Array(Type.Object({ account_id: Type.String(), device_id: Name }), { maxItems: 200 }),
  ),
});

const DeliverBody = Type.Object({
  device: Type.Optional(
    Type.Array(
      Type.Object({
        account_id: Type.String(),
        device_id: Name,
        type: Type.Integer(),
        body: Type.String({ maxLength: 100_000 }),
        hmac: Key,
      }),
      { maxItems: 200 },
    ),
  ),
});

const ClearBody = Type.Object({ up_to_id: Type.Optional(Type.String()) });

const config = user("crypto");

/** Returns devices whose account id is valid. */
const named = <T extends { account_id: string }>(devices: T[] = []): T[] =>
  devices.flatMap((device) => {
    const id = parseId(device.account_id);
    return id === null ? [] : [{ ...device, account_id: id }];
  });

const checkFilled = (device: Record<string, string>): void => {
  const faults = Object.keys(device)
    .filter((field) => device[field]!.trim() === "")
    .map(blank);
  if (faults.length > 0) throw invalidFields(faults);
};

const uploadRoute = (server: Server, app: App): void => {
  server.post("/api/v1/crypto/keys/upload", withBody(config, UploadBody), async (request) => {
    const { device, one_time_keys: keys = [] } = request.body;
    checkFilled(device);
    const { accountId } = viewerOf(request);
    const { tokenId } = request.credentials!;
    const row = { ...device, account_id: accountId, token_id: tokenId };
    await app.sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      await deleteOtherDevices(tx, accountId, tokenId, device.device_id);
      const id = await upsertDevice(tx, row);
      if (keys.length > 0) await insertKeys(tx, id, keys, MAX_KEYS);
    });
    return deviceEntity({ ...row, id: "" });
  });
};

const keyRoutes = (server: Server, app: App): void => {
  server.post("/api/v1/crypto/keys/query", withBody(config, QueryBody), async (request) => {
    const ids = [...new Set((request.body.id ?? []).flatMap((id) => parseId(id) ?? []))];
    const devices = await selectDevices(app.sql, viewerOf(request).accountId, ids);
    const ofAccount = Map.groupBy(devices, (device) => device.account_id);
    return [...ofAccount].map(([account_id, own]) => ({
      account_id,
      devices: own.map(deviceEntity),
    }));
  });

  server.post("/api/v1/crypto/keys/claim", withBody(config, ClaimBody), async (request) =>
    takeKeys(app.sql, viewerOf(request).accountId, named(request.body.device)),
  );

  server.get("/api/v1/crypto/keys/count", { config }, async (request) => ({
    one_time_keys: await countKeys(app.sql, request.credentials!.tokenId),
  }));
};

const messageRoutes = (server: Server, app: App): void => {
  server.post("/api/v1/crypto/deliveries", withBody(config, DeliverBody), async (request) => {
    await deliverMessages(app, request.credentials!.tokenId, named(request.body.device));
    return {};
  });

  server.get("/api/v1/crypto/encrypted_messages", paged(config), async (request, reply) => {
    const { tokenId } = request.credentials!;
    const rows = await readPage(app, request, reply, { most: MESSAGES }, (page) =>
      selectMessages(app.sql, tokenId, page),
    );
    return rows.map(messageEntity);
  });

  server.post(
    "/api/v1/crypto/encrypted_messages/clear",
    withBody(config, ClearBody),
    async (request) => {
      const upTo = parseId(request.body.up_to_id);
      if (upTo !== null) await deleteMessages(app.sql, request.credentials!.tokenId, upTo);
      return {};
    },
  );
};

export const cryptoRoutes = (server: Server, app: App): void => {
  uploadRoute(server, app);
  keyRoutes(server, app);
  messageRoutes(server, app);
};
