// Manages webhooks: their addresses, what each gets, and how the last delivery went.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import type { Key } from "../../platform/text/texts.ts";
import { changeWebhookAs, createWebhook } from "../../domain/staff/moderation/webhooks.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { WEBHOOK_EVENTS } from "../../domain/base/webhooks/tables.ts";
import type { WebhookEvent, WebhookRow } from "../../domain/base/webhooks/tables.ts";
import { listWebhooks } from "../../domain/base/webhooks/webhooks.ts";
import type { Change } from "../../domain/base/webhooks/webhooks.ts";
import { formsOf } from "./forms.ts";
import { button, editPart, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart, badge, checkbox, empty } from "./components.ts";

const WEBHOOKS = "/admin/webhooks";
const ACTS = ["webhooks.write"] as const;

const DONE: Record<string, Key> = {
  added: "network.webhooks.done.added",
  saved: "network.webhooks.done.saved",
  removed: "network.webhooks.done.removed",
};

const LABELS: Record<WebhookEvent, Key> = {
  "account.created": "network.webhooks.account_created",
  "account.approved": "network.webhooks.account_approved",
  "account.updated": "network.webhooks.account_updated",
  "report.created": "network.webhooks.report_created",
  "report.updated": "network.webhooks.report_updated",
  "status.created": "network.webhooks.status_created",
  "status.updated": "network.webhooks.status_updated",
};

const boxes = ({ t }: Staff, chosen: readonly string[], of = "new"): Html =>
  html`<fieldset class="choices wide">
    <legend>${t("network.webhooks.when")}</legend>
    ${WEBHOOK_EVENTS.map((event) =>
      checkbox(`on_${event}`, t(LABELS[event]), chosen.includes(event), `${event}-${of}`),
    )}
  </fieldset>`;

const chosen = (fields: Partial<Record<string, string>>): string[] =>
  WEBHOOK_EVENTS.filter((event) => fields[`on_${event}`] === "1");

const item = (context: Staff, row: WebhookRow): Html => {
  const { t, language } = context;
  const path = `${WEBHOOKS}/${row.id}`;
  const of = row.url;
  const isOk = /^2\d\d$/.test(row.last_result);
  return html`<li>
    <div class="what">
      <strong
        >${row.url}
        ${row.enabled ? badge(t("network.webhooks.on"), "good") : badge(t("network.webhooks.off"), "bad")}
        ${row.last_result && badge(row.last_result, isOk ? "good" : "bad")}</strong
      >
      ${row.last_at && html`<span>${t("network.webhooks.last")} ${whenText(row.last_at, language)}</span>`}
      <span>${t("network.webhooks.secret")}: <code>${row.secret}</code></span>
    </div>
    <div class="buttons">
      ${
        row.enabled
          ? button(context, {
              action: `${path}/disable`,
              label: t("network.webhooks.switch_off"),
              of,
            })
          : button(context, {
              action: `${path}/enable`,
              label: t("network.webhooks.switch_on"),
              of,
            })
      }
      ${button(context, { action: `${path}/secret`, label: t("network.webhooks.new_secret"), of })}
      ${button(context, { action: `${path}/delete`, label: t("staff.remove"), of, kind: "bad" })}
    </div>
    ${editPart(context, `${path}/update`, boxes(context, row.events, row.id), t("network.webhooks.events"))}
  </li>`;
};

const show: Show = async (context, problem) => {
  const { t } = context;
  const rows = await listWebhooks(context.app);
  const fields = enteredAt(context, WEBHOOKS);
  return sendAdmin(context, {
    title: t("network.webhooks.title"),
    problem,
    done: DONE,
    body: html`<p>
        ${sentence(t, "network.webhooks.intro", { header: html`<code>X-Hub-Signature</code>` })}
      </p>
      ${addPart(
        t("network.webhooks.add"),
        problem !== undefined,
        form(
          context,
          WEBHOOKS,
          html`${inputField({ name: "url", label: t("network.webhooks.address"), value: fields["url"] ?? "", maxlength: 2000, hint: "https://…" })}
            ${boxes(context, chosen(fields))}
            <button class="button inline">${t("staff.add")}</button>`,
        ),
      )}
      ${
        rows.length === 0
          ? empty(t("network.webhooks.none"))
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
