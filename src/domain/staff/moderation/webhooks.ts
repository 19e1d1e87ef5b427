// Changes webhooks for the staff, with an entry in the audit log for each change.

import type { VerbOf } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { addWebhook, changeWebhook, getWebhook } from "../../base/webhooks/webhooks.ts";
import type { Change } from "../../base/webhooks/webhooks.ts";
import { recorded } from "../../base/audit/recorded.ts";

const entry = (verb: VerbOf<"webhook">, id: string, label: string) => ({
  action: `webhook.${verb}` as const,
  target: { type: "webhook", id, label },
});

export const createWebhook = (
  app: App,
  actor: Actor,
  url: string,
  events: string[],
): Promise<string> =>
  recorded(app, actor, "webhooks.write", async (tx) => {
    const id = await addWebhook(app, tx, url, events);
    return { result: id, entry: { ...entry("create", id, url), details: { events } } };
  });

/** Throws NotFound for an unknown one. `mark`: that of the form (platform/drawn.ts). */
export const changeWebhookAs = (
  app: App,
  actor: Actor,
  id: string,
  change: Change,
  mark?: string,
): Promise<void> =>
  recorded(app, actor, "webhooks.write", async (tx) => {
    await lockNamed(tx, "webhooks");
    const { url, events } = await getWebhook(tx, id);
    const details = typeof change === "object" ? change : {};
    requireAsDrawn({ events }, mark, details);
    await changeWebhook(tx, id, change);
    const verb = change === "remove" ? "delete" : "update";
    return { entry: { ...entry(verb, id, url), details } };
  });
