// Shows what sign-ups are refused by: networks of clients, email providers, single addresses.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import type { Key } from "../../platform/text/texts.ts";
import { canonicalBlocks } from "../../domain/base/blocklists/emails.ts";
import { loadTries, pageOfBlocks } from "../../domain/base/blocklists/lists.ts";
import { IP_SEVERITIES } from "../../domain/base/blocklists/tables.ts";
import type { IpSeverity } from "../../domain/base/blocklists/tables.ts";
import {
  createCanonicalBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
} from "../../domain/staff/moderation/blocks.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { formsOf } from "./forms.ts";
import {
  button,
  entered,
  enteredAt,
  form,
  idOf,
  olderLink,
  pageOf,
  sendAdmin,
  staffPage,
} from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart, checkbox, empty, select, tabs } from "./components.ts";

const IPS = "/admin/blocks";
const PROVIDERS = "/admin/blocks/email_providers";
const ADDRESSES = "/admin/blocks/email_addresses";
const LIMIT = 60;

const TABS: readonly (readonly [string, Key])[] = [
  [IPS, "network.refused.ips"],
  [PROVIDERS, "network.refused.providers"],
  [ADDRESSES, "network.refused.addresses"],
];

const DONE: Record<string, Key> = {
  added: "network.refused.done.added",
  removed: "network.refused.done.removed",
};

const SEVERITIES: Record<IpSeverity, Key> = {
  sign_up_requires_approval: "network.refused.approval",
  sign_up_block: "network.refused.sign_ups",
  no_access: "network.refused.access",
};

const DAY = 86_400;
const DURATIONS: readonly (readonly [number, Key])[] = [
  [DAY, "network.refused.day"],
  [7 * DAY, "network.refused.week"],
  [30 * DAY, "network.refused.month"],
  [365 * DAY, "network.refused.year"],
  [0, "network.refused.for_good"],
];

type List = {
  path: string;
  add: string;
  about?: HtmlValue;
  fields: HtmlValue;
  none: string;
  rows: { id: string; name: string; about: HtmlValue }[];
};

const sendList = (context: Staff, problem: string | undefined, list: List) => {
  const { t } = context;
  const title = t("network.refused.title");
  const views = TABS.map(([path, label]) => [path, t(label)] as const);
  return sendAdmin(context, {
    title,
    problem,
    done: DONE,
    body: html`${tabs(title, list.path, views)} ${list.about}
    ${addPart(
      list.add,
      problem !== undefined,
      form(
        context,
        list.path,
        html`${list.fields} <button class="button inline">${t("staff.add")}</button>`,
      ),
    )}
    ${
      list.rows.length === 0
        ? empty(list.none)
        : html`<ul class="rows">
            ${list.rows.map(
              ({ id, name, about }): Html =>
                html`<li>
                  <div class="what"><strong>${name}</strong><span>${about}</span></div>
                  ${button(context, { action: `${list.path}/${id}/delete`, label: t("staff.remove"), of: name, kind: "bad" })}
                </li>`,
            )}
          </ul>`
    }
    ${olderLink(context, list.rows, LIMIT)}`,
  });
};

const showIps: Show = async (context, problem) => {
  const { t, language } = context;
  const fields = enteredAt(context, IPS);
  const rows = await pageOfBlocks(context.app, "ip_blocks", pageOf(context, LIMIT));
  const severities = IP_SEVERITIES.map((value) => ({ value, label: t(SEVERITIES[value]) }));
  const durations = DURATIONS.map(([seconds, label]) => ({
    value: String(seconds),
    label: t(label),
  }));
  return sendList(context, problem, {
    path: IPS,
    add: t("network.refused.add_ip"),
    fields: html`${inputField({ name: "ip", label: t("network.refused.network"), value: fields["ip"] ?? "", maxlength: 60, hint: t("network.refused.network_hint") })}
      <div class="pair">
        ${select("severity", t("network.refused.what"), severities, fields["severity"] ?? "sign_up_block")}
        ${select("duration", t("network.refused.how_long"), durations, fields["duration"] ?? String(30 * DAY))}
      </div>
      ${inputField({ name: "comment", label: t("network.server.reason_staff"), value: fields["comment"] ?? "", optional: true, maxlength: 1000 })}`,
    none: t("network.refused.no_address"),
    rows: rows.map((row) => ({
      id: row.id,
      name: row.ip,
      about: html`${t(SEVERITIES[row.severity])}
      ${
        row.expires_at
          ? html`${t("network.refused.until")} ${whenText(row.expires_at, language)}`
          : t("network.refused.for_good")
      }
      ${row.comment && `· ${row.comment}`}`,
    })),
  });
};

const showProviders: Show = async (context, problem) => {
  const { t, language } = context;
  const fields = enteredAt(context, PROVIDERS);
  const rows = await pageOfBlocks(context.app, "email_domain_blocks", pageOf(context, LIMIT));
  const tries = await loadTries(context.app, rows);
  const total = (id: string) =>
    (tries.get(id) ?? []).reduce((sum, { uses }) => sum + Number(uses), 0);
  return sendList(context, problem, {
    path: PROVIDERS,
    add: t("network.refused.add_provider"),
    fields: html`${inputField({ name: "domain", label: t("network.refused.domain"), value: fields["domain"] ?? "", maxlength: 300, hint: t("network.refused.domain_hint") })}
      <div class="choices">
        ${checkbox("with_approval", t("network.refused.with_approval"), fields["with_approval"] === "1")}
      </div>`,
    none: t("network.refused.no_provider"),
    rows: rows.map((row) => ({
      id: row.id,
      name: row.domain,
      about: html`${t(row.allow_with_approval ? SEVERITIES.sign_up_requires_approval : SEVERITIES.sign_up_block)}
      · ${t("network.refused.tries", { count: total(row.id) })} ·
      ${whenText(row.created_at, language)}`,
    })),
  });
};

const showAddresses: Show = async (context, problem) => {
  const { app, t } = context;
  const { email = "" } = entered(context);
  const rows =
    email && context.request.method === "GET"
      ? await canonicalBlocks(app, email)
      : await pageOfBlocks(app, "canonical_email_blocks", pageOf(context, LIMIT));
  return sendList(context, problem, {
    path: ADDRESSES,
    add: t("network.refused.add_address"),
    about: html`<p>${t("network.refused.hashes")}</p>
      <form method="get" action="${ADDRESSES}" role="search">
        <div class="filters">
          ${inputField({ name: "email", id: "asked", label: t("network.refused.is_blocked"), value: email, optional: true, maxlength: 320 })}
          <button class="button">${t("staff.search")}</button>
        </div>
      </form>`,
    fields: inputField({
      name: "email",
      label: t("network.refused.email"),
      type: "email",
      value: enteredAt(context, ADDRESSES)["email"] ?? "",
      maxlength: 320,
    }),
    none: t(email ? "network.refused.not_blocked" : "network.refused.no_address"),
    rows: rows.map(({ id, canonical_email_hash: hash }) => ({
      id,
      name: `${hash.slice(0, 20)}…`,
      about: t("network.refused.hash"),
    })),
  });
};

export const blockPages = (pages: Server, app: App): void => {
  pages.get(IPS, staffPage(app, ["ip_blocks.read"], showIps));
  const ips = formsOf(pages, app, IPS, ["ip_blocks.write"], showIps);
  ips(IPS, "added", (context) => {
    const fields = entered(context);
    const severity = IP_SEVERITIES.find((severity) => severity === fields["severity"]);
    const seconds = Number(fields["duration"] ?? 0);
    return createIpBlock(app, context.actor, {
      ip: fields["ip"]?.trim(),
      severity,
      comment: fields["comment"]?.trim() ?? "",
      expiresIn: Number.isFinite(seconds) ? seconds : 0,
    });
  });
  ips(`${IPS}/:id/delete`, "removed", (context) =>
    deleteIpBlock(app, context.actor, idOf(context)),
  );
  pages.get(PROVIDERS, staffPage(app, ["email_domain_blocks.read"], showProviders));
  const providers = formsOf(pages, app, PROVIDERS, ["email_domain_blocks.write"], showProviders);
  providers(PROVIDERS, "added", (context) => {
    const { domain, with_approval: approval } = entered(context);
    return createEmailDomainBlock(app, context.actor, { domain, withApproval: approval === "1" });
  });
  providers(`${PROVIDERS}/:id/delete`, "removed", (context) =>
    deleteEmailDomainBlock(app, context.actor, idOf(context)),
  );
  pages.get(ADDRESSES, staffPage(app, ["canonical_email_blocks.read"], showAddresses));
  const addresses = formsOf(pages, app, ADDRESSES, ["canonical_email_blocks.write"], showAddresses);
  addresses(ADDRESSES, "added", (context) =>
    createCanonicalBlock(app, context.actor, { email: entered(context)["email"] }),
  );
  addresses(`${ADDRESSES}/:id/delete`, "removed", (context) =>
    deleteCanonicalBlock(app, context.actor, idOf(context)),
  );
};
