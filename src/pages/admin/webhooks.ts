// Webhooks: the addresses, what each gets, and how the last delivery went.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { changeWebhookAs, createWebhook } from "../../domain/moderation/webhooks.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhooks/tables.ts";
import type { WebhookEvent, WebhookRow } from "../../domain/webhooks/tables.ts";
import { listWebhooks } from "../../domain/webhooks/webhooks.ts";
import type { Change } from "../../domain/webhooks/webhooks.ts";
import { formsOf } from "./forms.ts";
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty } from "./parts.ts";

const WEBHOOKS = "/admin/webhooks";
const ACTS = ["webhooks.write"] as const;

const DONE = {
  added: "The webhook has been added.",
  saved: "The webhook has been changed.",
  removed: "The webhook has been removed.",
};

const LABELS: Record<WebhookEvent, string> = {
  "account.created": "Somebody signed up",
  "account.approved": "A sign-up was approved",
  "account.updated": "Somebody changed their profile",
  "report.created": "Something was reported",
  "report.updated": "A report was worked on",
  "status.created": "A public post was written here",
  "status.updated": "A public post was edited",
};

const boxes = (chosen: readonly string[], of = "new"): Html =>
  html`<fieldset class="choices wide">
    <legend>Tell it when</legend>
    ${WEBHOOK_EVENTS.map((event) =>
      checkbox(`on_${event}`, LABELS[event], chosen.includes(event), `${event}-${of}`),
    )}
  </fieldset>`;

const chosen = (fields: Partial<Record<string, string>>): string[] =>
  WEBHOOK_EVENTS.filter((event) => fields[`on_${event}`] === "1");

const item = (context: Staff, row: WebhookRow): Html => {
  const path = `${WEBHOOKS}/${row.id}`;
  const of = row.url;
  const isOk = /^2\d\d$/.test(row.last_result);
  return html`<li>
    <div class="what">
      <strong
        >${row.url} ${row.enabled ? badge("on", "good") : badge("off", "bad")}
        ${row.last_result && badge(row.last_result, isOk ? "good" : "bad")}</strong
      >
      ${row.last_at && html`<span>Last delivery ${whenText(row.last_at)}</span>`}
      <span>Secret: <code>${row.secret}</code></span>
    </div>
    <div class="buttons">
      ${
        row.enabled
          ? button(context, { action: `${path}/disable`, label: "Switch off", of })
          : button(context, { action: `${path}/enable`, label: "Switch on", of })
      }
      ${button(context, { action: `${path}/secret`, label: "New secret", of })}
      ${button(context, { action: `${path}/delete`, label: "Remove", of, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, boxes(row.events, row.id), "Events")}
  </li>`;
};

const show: Show = async (context, problem) => {
  const rows = await listWebhooks(context.app);
  const fields = enteredAt(context, WEBHOOKS);
  return sendAdmin(context, {
    title: "Webhooks",
    problem,
    done: DONE,
    body: html`<p>
        A webhook is an address that gets a POST when something happens here, signed with its secret
        in
        <code>X-Hub-Signature</code>. What fails is tried again for about a day.
      </p>
      ${addPart(
        "Add a webhook",
        problem !== undefined,
        form(
          context,
          WEBHOOKS,
          html`${inputField({ name: "url", label: "Address", value: fields["url"] ?? "", maxlength: 2000, hint: "https://…" })}
            ${boxes(chosen(fields))} <button class="button inline">Add</button>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty("There are no webhooks.")
          : html`<ul class="rows">
              ${rows.map((row) => item(context, row))}
            </ul>`
      }`,
  });
};

export const webhookPages = (pages: Server, app: App): void => {
  pages.get(WEBHOOKS, staffPage(app, ACTS, show));
  const take = formsOf(pages, app, WEBHOOKS, ACTS, show);
  take(WEBHOOKS, "added", (context) => {
    const fields = entered(context);
    return createWebhook(app, context.actor, fields["url"] ?? "", chosen(fields));
  });
  const change = (verb: string, done: string, what: (context: Staff) => Change) =>
    take(`${WEBHOOKS}/:id/${verb}`, done, (context) =>
      changeWebhookAs(app, context.actor, idOf(context), what(context)),
    );
  change("update", "saved", (context) => ({ events: chosen(entered(context)) }));
  change("enable", "saved", () => ({ enabled: true }));
  change("disable", "saved", () => ({ enabled: false }));
  change("secret", "saved", () => "new secret");
  change("delete", "removed", () => "remove");
};
