// What sign-ups are refused by: networks of clients, email providers, single addresses.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { canonicalBlocks } from "../../domain/blocklists/emails.ts";
import { loadTries, pageOfBlocks } from "../../domain/blocklists/lists.ts";
import { IP_SEVERITIES } from "../../domain/blocklists/tables.ts";
import type { IpSeverity } from "../../domain/blocklists/tables.ts";
import {
  createCanonicalBlock,
  createEmailDomainBlock,
  createIpBlock,
  deleteCanonicalBlock,
  deleteEmailDomainBlock,
  deleteIpBlock,
} from "../../domain/moderation/blocks.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
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
import { addPart, checkbox, empty, select, tabs } from "./parts.ts";

const IPS = "/admin/blocks";
const PROVIDERS = "/admin/blocks/email_providers";
const ADDRESSES = "/admin/blocks/email_addresses";
const LIMIT = 60;

const TABS = [
  [IPS, "IP addresses"],
  [PROVIDERS, "Email providers"],
  [ADDRESSES, "Email addresses"],
] as const;

const DONE = { added: "Added to the list.", removed: "Removed from the list." };

const SEVERITIES: Record<IpSeverity, string> = {
  sign_up_requires_approval: "Sign-ups need approval",
  sign_up_block: "No sign-ups",
  no_access: "No access at all",
};

const DAY = 86_400;
const DURATIONS = [
  { value: String(DAY), label: "A day" },
  { value: String(7 * DAY), label: "A week" },
  { value: String(30 * DAY), label: "30 days" },
  { value: String(365 * DAY), label: "A year" },
  { value: "0", label: "For good" },
];

type List = {
  path: string;
  add: string;
  about?: HtmlValue;
  fields: HtmlValue;
  none: string;
  rows: { id: string; name: string; about: HtmlValue }[];
};

const sendList = (context: Staff, problem: string | undefined, list: List) =>
  sendAdmin(context, {
    title: "Blocked sign-ups",
    problem,
    done: DONE,
    body: html`${tabs("Blocked sign-ups", list.path, TABS)} ${list.about}
    ${addPart(
      list.add,
      problem !== undefined,
      form(context, list.path, html`${list.fields} <button class="button inline">Add</button>`),
    )}
    ${
      list.rows.length === 0
        ? empty(list.none)
        : html`<ul class="rows">
            ${list.rows.map(
              ({ id, name, about }): Html =>
                html`<li>
                  <div class="what"><strong>${name}</strong><span>${about}</span></div>
                  ${button(context, { action: `${list.path}/${id}/delete`, label: "Remove", of: name, kind: "bad" })}
                </li>`,
            )}
          </ul>`
    }
    ${olderLink(context, list.rows, LIMIT)}`,
  });

const showIps: Show = async (context, problem) => {
  const fields = enteredAt(context, IPS);
  const rows = await pageOfBlocks(context.app, "ip_blocks", pageOf(context, LIMIT));
  const severities = IP_SEVERITIES.map((value) => ({ value, label: SEVERITIES[value] }));
  return sendList(context, problem, {
    path: IPS,
    add: "Block an address or a network",
    fields: html`${inputField({ name: "ip", label: "Address or network", value: fields["ip"] ?? "", maxlength: 60, hint: "Like 192.0.2.1 or 192.0.2.0/24." })}
      <div class="pair">
        ${select("severity", "What is refused", severities, fields["severity"] ?? "sign_up_block")}
        ${select("duration", "How long", DURATIONS, fields["duration"] ?? String(30 * DAY))}
      </div>
      ${inputField({ name: "comment", label: "Reason, for the staff", value: fields["comment"] ?? "", optional: true, maxlength: 1000 })}`,
    none: "No address is blocked.",
    rows: rows.map((row) => ({
      id: row.id,
      name: row.ip,
      about: html`${SEVERITIES[row.severity]}
      ${row.expires_at ? html`until ${whenText(row.expires_at)}` : "for good"}
      ${row.comment && `· ${row.comment}`}`,
    })),
  });
};

const showProviders: Show = async (context, problem) => {
  const fields = enteredAt(context, PROVIDERS);
  const rows = await pageOfBlocks(context.app, "email_domain_blocks", pageOf(context, LIMIT));
  const tries = await loadTries(context.app, rows);
  const total = (id: string) =>
    (tries.get(id) ?? []).reduce((sum, { uses }) => sum + Number(uses), 0);
  return sendList(context, problem, {
    path: PROVIDERS,
    add: "Block a provider",
    fields: html`${inputField({ name: "domain", label: "Domain", value: fields["domain"] ?? "", maxlength: 300, hint: "Of the addresses, or of the servers that take their mail." })}
      <div class="choices">
        ${checkbox("with_approval", "Let a moderator decide instead", fields["with_approval"] === "1")}
      </div>`,
    none: "No provider is blocked.",
    rows: rows.map((row) => ({
      id: row.id,
      name: row.domain,
      about: html`${row.allow_with_approval ? "Sign-ups need approval" : "No sign-ups"} ·
      ${total(row.id)} in the last week · ${whenText(row.created_at)}`,
    })),
  });
};

const showAddresses: Show = async (context, problem) => {
  const { app } = context;
  const { email = "" } = entered(context);
  const rows =
    email && context.request.method === "GET"
      ? await canonicalBlocks(app, email)
      : await pageOfBlocks(app, "canonical_email_blocks", pageOf(context, LIMIT));
  return sendList(context, problem, {
    path: ADDRESSES,
    add: "Block an address",
    about: html`<p>
        Only a hash of each address is stored. Addresses that differ in dots, capitals or what
        follows a plus are one.
      </p>
      <form method="get" action="${ADDRESSES}" role="search">
        <div class="filters">
          ${inputField({ name: "email", id: "asked", label: "Is this address blocked?", value: email, optional: true, maxlength: 320 })}
          <button class="button">Search</button>
        </div>
      </form>`,
    fields: inputField({
      name: "email",
      label: "Email address",
      type: "email",
      value: enteredAt(context, ADDRESSES)["email"] ?? "",
      maxlength: 320,
    }),
    none: email ? "This address is not blocked." : "No address is blocked.",
    rows: rows.map(({ id, canonical_email_hash: hash }) => ({
      id,
      name: `${hash.slice(0, 20)}…`,
      about: "hash of an address",
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
