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

const chosen = (given: Partial<Record<string, string>>): string[] =>
  WEBHOOK_EVENTS.filter((event) => given[`on_${event}`] === "1");

const item = (asked: Staff, row: WebhookRow): Html => {
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
          ? button(asked, { action: `${path}/disable`, label: "Switch off", of })
          : button(asked, { action: `${path}/enable`, label: "Switch on", of })
      }
      ${button(asked, { action: `${path}/secret`, label: "New secret", of })}
      ${button(asked, { action: `${path}/delete`, label: "Remove", of, kind: "bad" })}
    </div>
    ${editPart(asked, `${path}/update`, boxes(row.events, row.id), "Events")}
  </li>`;
};

const show: Show = async (asked, problem) => {
  const rows = await listWebhooks(asked.app);
  const given = enteredAt(asked, WEBHOOKS);
  return sendAdmin(asked, {
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
          asked,
          WEBHOOKS,
          html`${inputField({ name: "url", label: "Address", value: given["url"] ?? "", maxlength: 2000, hint: "https://…" })}
            ${boxes(chosen(given))} <button class="button inline">Add</button>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty("There are no webhooks.")
          : html`<ul class="rows">
              ${rows.map((row) => item(asked, row))}
            </ul>`
      }`,
  });
};

export const webhookPages = (pages: Server, app: App): void => {
  pages.get(WEBHOOKS, staffPage(app, ACTS, show));
  const take = formsOf(pages, app, WEBHOOKS, ACTS, show);
  take(WEBHOOKS, "added", (asked) => {
    const given = entered(asked);
    return createWebhook(app, asked.actor, given["url"] ?? "", chosen(given));
  });
  const change = (verb: string, done: string, what: (asked: Staff) => Change) =>
    take(`${WEBHOOKS}/:id/${verb}`, done, (asked) =>
      changeWebhookAs(app, asked.actor, idOf(asked), what(asked)),
    );
  change("update", "saved", (asked) => ({ events: chosen(entered(asked)) }));
  change("enable", "saved", () => ({ enabled: true }));
  change("disable", "saved", () => ({ enabled: false }));
  change("secret", "saved", () => "new secret");
  change("delete", "removed", () => "remove");
};
