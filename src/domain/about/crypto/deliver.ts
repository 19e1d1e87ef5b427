// Delivers end-to-end encrypted messages from one device to others; the server cannot read them.

import { createHmac } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { insertMessages, selectDeviceByToken } from "./queries.ts";
import type { DeviceRow, NewMessage } from "./tables.ts";

/** Undelivered messages that one device may have. */
const MAX_WAITING = 5000;

/**
 * Makes a signed record of what the server saw of the message: somebody who reports it later can prove that it was sent
 * this way, although the server could not read it. It is `payload.mac`, both in base64url.
 */
const frankingOf = (app: App, from: DeviceRow, to: Omit<NewMessage, "franking">): string => {
  const seen = {
    source_account_id: from.account_id,
    source_device_id: from.device_id,
    target_account_id: to.account_id,
    target_device_id: to.device_id,
    digest: to.hmac,
    at: app.clock.now().toISOString(),
  };
  const payload = Buffer.from(JSON.stringify(seen)).toString("base64url");
  const mac = createHmac("sha256", `franking:${app.config.secrets.keyBase}`).update(payload);
  return `${payload}.${mac.digest("base64url")}`;
};

/** Stores each message for its device; throws Unprocessable for a token without a device. */
export const deliverMessages = async (
  app: App,
  tokenId: string,
  messages: Omit<NewMessage, "franking">[],
): Promise<void> => {
  const from = await selectDeviceByToken(app.sql, tokenId);
  if (!from) throw new Unprocessable("Validation failed: No device is registered for this token");
  if (messages.length === 0) return;
  const franked = messages.map((message) => ({
    ...message,
    franking: frankingOf(app, from, message),
  }));
  await insertMessages(app.sql, from, franked, MAX_WAITING);
};
