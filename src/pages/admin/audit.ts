// The audit log: what was done by the staff, on the command line, by rules and by the clock, newest first.

import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { addDays, idAt } from "../../platform/ids/index.ts";
import type { Server } from "../../platform/http/server.ts";
import { writeCsv } from "../../platform/text/csv.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { findKnownId } from "../../domain/accounts/find.ts";
import { KINDS, SENTENCES } from "../../domain/audit/actions.ts";
import type { AuditAction } from "../../domain/audit/actions.ts";
import { listAudit } from "../../domain/audit/audit.ts";
import type { AuditFilter, AuditRow } from "../../domain/audit/audit.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { entered, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { empty, select } from "./parts.ts";

const AUDIT = "/admin/audit";
const LIMIT = 60;
/** Of an export. */
const EXPORTED = 10_000;

const pathOf: Record<string, (row: AuditRow) => string> = {
  account: ({ target_id: id }) => `/admin/accounts/${id}`,
  report: ({ target_id: id }) => `/admin/reports/${id}`,
  rule: () => "/admin/rules",
  role: () => "/admin/roles",
  webhook: () => "/admin/webhooks",
  announcement: () => "/admin/announcements",
  emoji: () => "/admin/emojis",
  setting: () => "/admin/settings",
  spam_rule: () => "/admin/spam",
  domain_list: () => "/admin/domains/lists",
  domain_block: ({ target_label: label }) => `/admin/domains?${new URLSearchParams({ q: label })}`,
};

const targetText = ({
  target_type: type,
  target_label: label,
  target_id: id,
}: AuditRow): string => {
  const text = label || id || "it";
  return type === "account" && label ? `@${label.replace(/^@/, "")}` : text;
};

const targetLink = (row: AuditRow): Html => {
  const path = row.target_type === null ? undefined : pathOf[row.target_type]?.(row);
  const text = targetText(row);
  return path ? html`<a href="${path}">${text}</a>` : html`<b>${text}</b>`;
};

/** The clock and rules say so in the details of what they did. */
const actorText = ({ username, account_id: id, details }: AuditRow): string => {
  if (username) return `@${username}`;
  if (id !== null) return "Somebody who is gone";
  if (details["by"] === "clock") return "The clock";
  return details["spam_rule"] ? "A rule against spam" : "The command line";
};

const sentenceOf = (action: string): string =>
  SENTENCES[action as AuditAction] ?? `${action.replace(".", " ")} {of}`;

const sentence = (row: AuditRow): HtmlValue => {
  const [start, end] = sentenceOf(row.action).split("{of}");
  const actor = row.username
    ? html`<a href="/admin/accounts/${row.account_id}">${actorText(row)}</a>`
    : actorText(row);
  return html`${actor} ${start}${end !== undefined && targetLink(row)}${end}`;
};

/** `{"from": "x", "to": "y"}` as "from x, to y"; what is empty is left out. */
const detailText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .filter(
      ([name, value]) =>
        name !== "by" &&
        value !== null &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0),
    )
    .map(
      ([name, value]) =>
        `${name.replaceAll("_", " ")}: ${Array.isArray(value) ? value.join(", ") : String(value)}`,
    )
    .join("; ");

export const auditLine = (row: AuditRow): Html => {
  const details = detailText(row.details);
  return html`<li>
    <div class="what">
      <span class="said">${sentence(row)}</span>
      <span>${whenText(row.created_at)}</span>
      ${details && html`<span>${details}</span>`}
    </div>
  </li>`;
};

const dayOf = (text: string | undefined): Date | null => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text ?? "") ? new Date(`${text}T00:00:00Z`) : null;
  return day && !Number.isNaN(day.getTime()) ? day : null;
};

/** Of whom there is nothing. */
const NOBODY = "0";

const idNamed = async (app: App, name: string | undefined): Promise<string | null> =>
  name?.trim() ? ((await findKnownId(app, name.trim())) ?? NOBODY) : null;

/** On whom or on what: an account, else what was called so. */
const aboutFilter = async (app: App, text: string | undefined): Promise<AuditFilter> => {
  const name = text?.trim();
  if (!name) return {};
  const id = await findKnownId(app, name);
  return id ? { target: { type: "account", id } } : { label: name };
};

const actionsOf = (kind: string | undefined): string[] | null =>
  KINDS.some((known) => known === kind)
    ? Object.keys(SENTENCES).filter((action) => action.startsWith(`${kind}.`))
    : null;

const filterOf = async (staff: Staff): Promise<AuditFilter> => {
  const { app } = staff;
  const { by, kind, about, from, to } = entered(staff);
  const [first, last] = [dayOf(from), dayOf(to)];
  const isServer = by?.trim().toLowerCase() === "server";
  return {
    ...(isServer ? { isServer } : { accountId: await idNamed(app, by) }),
    ...(await aboutFilter(app, about)),
    actions: actionsOf(kind),
    from: first && idAt(first),
    below: last && idAt(addDays(last, 1)),
  };
};

const KIND_OPTIONS = [
  { value: "", label: "Everything" },
  ...KINDS.toSorted().map((kind) => ({ value: kind, label: kind.replaceAll("_", " ") })),
];

const filterForm = (fields: Partial<Record<string, string>>): Html =>
  html`<form method="get" action="${AUDIT}" role="search">
    <div class="filters">
      ${inputField({ name: "by", label: "Done by (or “server”)", value: fields["by"] ?? "", optional: true, maxlength: 300 })}
      ${select("kind", "What kind", KIND_OPTIONS, fields["kind"] ?? "")}
      ${inputField({ name: "about", label: "On whom or what", value: fields["about"] ?? "", optional: true, maxlength: 500 })}
      ${inputField({ name: "from", label: "From", type: "date", value: fields["from"] ?? "", optional: true })}
      ${inputField({ name: "to", label: "To", type: "date", value: fields["to"] ?? "", optional: true })}
      <button class="button">Search</button>
    </div>
  </form>`;

const showAudit = async (staff: Staff) => {
  const rows = await listAudit(staff.app, pageOf(staff, LIMIT), await filterOf(staff));
  const fields = entered(staff);
  const { max_id: _page, ...filters } = fields;
  const csv = `${AUDIT}/export.csv?${new URLSearchParams(filters as Record<string, string>)}`;
  return sendAdmin(staff, {
    title: "Audit log",
    body: html`${filterForm(fields)}
    ${
      rows.length === 0
        ? empty("Nothing has been recorded.")
        : html`<p><a href="${csv}">Export as CSV</a></p>
            <ul class="rows">
              ${rows.map(auditLine)}
            </ul>`
    }
    ${olderLink(staff, rows, LIMIT)}`,
  });
};

/** Spreadsheets take what begins like this for a formula. */
const asCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const exportAudit = async (staff: Staff): Promise<FastifyReply> => {
  const page = { maxId: null, sinceId: null, minId: null, limit: EXPORTED };
  const rows = await listAudit(staff.app, page, await filterOf(staff));
  const lines = rows.map((row) =>
    [
      row.created_at.toISOString(),
      actorText(row).replace(/^@/, ""),
      row.action,
      row.target_type ?? "",
      row.target_label || (row.target_id ?? ""),
      detailText(row.details),
    ].map(asCell),
  );
  const csv = writeCsv([["time", "by", "action", "type", "target", "details"], ...lines]);
  return staff.reply
    .header("content-type", "text/csv; charset=utf-8")
    .header("content-disposition", 'attachment; filename="audit-log.csv"')
    .header("cache-control", "private, no-store")
    .send(csv);
};

export const auditPages = (pages: Server, app: App): void => {
  pages.get(AUDIT, staffPage(app, ["audit.read"], showAudit));
  pages.get(`${AUDIT}/export.csv`, staffPage(app, ["audit.read"], exportAudit));
};
