// Manages webhooks: their addresses, what each gets, and how the last delivery went.

import type { Field, Row } from "../../../web/src/served/part-pages.ts";
import type { Key } from "../../platform/text/texts.ts";
import { changeWebhookAs, createWebhook } from "../../domain/staff/moderation/webhooks.ts";
import { WEBHOOK_EVENTS } from "../../domain/base/webhooks/tables.ts";
import type { WebhookEvent, WebhookRow } from "../../domain/base/webhooks/tables.ts";
import { listWebhooks } from "../../domain/base/webhooks/webhooks.ts";
import type { Change } from "../../domain/base/webhooks/webhooks.ts";
import { text, removal } from "./page-parts.ts";
import { drawnWith, onEntry, pageWithForms } from "./forms.ts";
import { entered, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";

const WEBHOOKS = "/admin/webhooks";
const ACTS = ["webhooks.write"] as const;

const LABELS: Record<WebhookEvent, Key> = {
  "account.created": "network.webhooks.account_created",
  "account.approved": "network.webhooks.account_approved",
  "account.updated": "network.webhooks.account_updated",
  "report.created": "network.webhooks.report_created",
  "report.updated": "network.webhooks.report_updated",
  "status.created": "network.webhooks.status_created",
  "status.updated": "network.webhooks.status_updated",
};

const boxes: Field = {
  name: "events",
  legend: "network.webhooks.when",
  wide: true,
  boxes: WEBHOOK_EVENTS.map((event) => ({ name: `on_${event}`, label: LABELS[event] })),
};

const chosen = (context: Staff): string[] =>
  WEBHOOK_EVENTS.filter((event) => entered(context)[`on_${event}`] === "1");

const rowOf = (context: Staff, row: WebhookRow): Row => {
  const { t } = context;
  const { id, url, enabled, last_result: result } = row;
  const path = `${WEBHOOKS}/${id}`;
  const [verb, label] = enabled ? (["disable", "off"] as const) : (["enable", "on"] as const);
  return {
    title: url,
    badges: [
      { badge: `network.webhooks.${enabled ? "on" : "off"}`, kind: enabled ? "good" : "bad" },
      result && { badge: { plain: result }, kind: /^2\d\d$/.test(result) ? "good" : "bad" },
    ],
    lines: [
      row.last_at && { say: "network.webhooks.last", with: { time: row.last_at } },
      {
        say: "words.pair",
        values: { name: t("network.webhooks.secret") },
        with: { value: { code: row.secret } },
      },
    ],
    acts: [
      { action: `${path}/${verb}`, label: `network.webhooks.switch_${label}`, of: url },
      { action: `${path}/secret`, label: "network.webhooks.new_secret", of: url },
      removal(path, url),
    ],
    edit: {
      ...drawnWith(context, `${path}/update`, { events: row.events }),
      label: "network.webhooks.events",
      fields: [boxes],
      values: Object.fromEntries(row.events.map((event) => [`on_${event}`, true])),
      of: id,
    },
  };
};

const show: Show = async (context) => {
  const rows = await listWebhooks(context.app);
  return sendAdmin(context, {
    parts: [
      { text: { say: "network.webhooks.intro", with: { header: { code: "X-Hub-Signature" } } } },
      {
        add: {
          action: WEBHOOKS,
          title: "network.webhooks.add",
          fields: [
            text("url", "network.webhooks.address", 2000, { hint: { plain: "https://…" } }),
            boxes,
          ],
        },
      },
      { rows: rows.map((row) => rowOf(context, row)), none: "network.webhooks.none" },
    ],
  });
};

const add = (context: Staff): Promise<string> =>
  createWebhook(context.app, context.actor, entered(context)["url"] ?? "", chosen(context));

const change = (read: (context: Staff) => Change) => onEntry(changeWebhookAs, read);

export const webhookPages = pageWithForms({ path: WEBHOOKS, read: ACTS, show }, [
  ["", "network.webhooks.done.added", add],
  [
    "/:id/update",
    "network.webhooks.done.saved",
    change((context) => ({ events: chosen(context) })),
  ],
  ["/:id/enable", "network.webhooks.done.saved", change(() => ({ enabled: true }))],
  ["/:id/disable", "network.webhooks.done.saved", change(() => ({ enabled: false }))],
  ["/:id/secret", "network.webhooks.done.saved", change(() => "new secret")],
  ["/:id/delete", "network.webhooks.done.removed", change(() => "remove")],
]);
