// Presents devices, keys and messages as JSON entities (Crypto_* of the contract).

import type { DeviceRow, MessageRow } from "./tables.ts";

export const deviceEntity = (device: DeviceRow) => ({
  device_id: device.device_id,
  name: device.name,
  identity_key: device.identity_key,
  fingerprint_key: device.fingerprint_key,
});

export const messageEntity = (message: MessageRow) => ({
  id: message.id,
  account_id: message.from_account_id,
  device_id: message.from_device_id,
  type: message.type,
  body: message.body,
  digest: message.digest,
  message_franking: message.message_franking,
});
