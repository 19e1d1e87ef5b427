// Manages webhooks: addresses that the administrator lists, which get a signed POST for each event that they want.

import { randomBytes } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Unprocessable, checkAll, faultOf, orNotFound } from "../../../platform/errors.ts";
import { FetchRefused } from "../../../platform/fetch/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import {
  deleteWebhook,
  insertWebhook,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
} from "./queries.ts";
import type { WebhookChange } from "./queries.ts";
import { WEBHOOK_EVENTS } from "./tables.ts";
import type { WebhookEvent, WebhookRow } from "./tables.ts";

const MAX_WEBHOOKS = 20;
const MAX_URL = 2_000;

export const listWebhooks = async (app: App): Promise<WebhookRow[]> => [
  ...(await selectWebhooks(app.sql)),
];

export const getWebhook = async (db: Db, id: string): Promise<WebhookRow> =>
  orNotFound(await selectWebhook(db, id));

const newSecret = (): string => randomBytes(20).toString("hex");

/** Returns an address that deliveries can go to. */
const checkUrl = ({ fetch }: App, url: string): string => {
  const trimmed = url.trim();
  try {
    fetch.check(trimmed);
    if (trimmed.length <= MAX_URL) return trimmed;
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
  }
  throw faultOf("url", says("network.refused.webhook_address"));
};

const checkEvents = (events: string[]): WebhookEvent[] => {
  const known = WEBHOOK_EVENTS.filter((event) => events.includes(event));
  if (known.length === 0) throw faultOf("events", says("network.refused.webhook_events"));
  return known;
};

export const addWebhook = async (
  app: App,
  db: Db,
  url: string,
  events: string[],
): Promise<string> => {
  await lockNamed(db, "webhooks");
  if ((await selectWebhooks(db)).length >= MAX_WEBHOOKS) {
    throw new Unprocessable(says("network.refused.webhooks", { count: MAX_WEBHOOKS }));
  }
  const [address, known] = checkAll(
    () => checkUrl(app, url),
    () => checkEvents(events),
  );
  try {
    return await insertWebhook(db, { url: address, events: known, secret: newSecret() });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw faultOf("url", says("network.refused.webhook_taken"));
  }
};

export type Change = { events: string[] } | { enabled: boolean } | "new secret" | "remove";

export const changeWebhook = async (db: Db, id: string, change: Change): Promise<void> => {
  if (change === "remove") return deleteWebhook(db, id);
  const fields: WebhookChange =
    change === "new secret"
      ? { secret: newSecret() }
      : "enabled" in change
        ? { enabled: change.enabled, failures: 0 }
        : { events: checkEvents(change.events) };
  return updateWebhook(db, id, fields);
};
