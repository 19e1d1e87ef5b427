// The audit log: what the staff did, newest first.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { findKnownId } from "../../domain/accounts/find.ts";
import { listAudit } from "../../domain/audit/audit.ts";
import type { AuditRow } from "../../domain/audit/audit.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { entered, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { empty } from "./parts.ts";

const AUDIT = "/admin/audit";
const LIMIT = 60;

const LINKED: Record<string, string> = { account: "/admin/accounts", report: "/admin/reports" };

const target = (row: AuditRow): Html | null => {
  if (row.target_type === null) return null;
  const text = row.target_label || row.target_id || "";
  const folder = LINKED[row.target_type];
  return folder ? html`<a href="${folder}/${row.target_id}">${text}</a>` : html`${text}`;
};

const who = ({ username, account_id: id }: AuditRow): string =>
  username ? `@${username}` : id === null ? "Server or command line" : "Somebody who is gone";

/** `{"from": "x", "to": "y"}` as "from x, to y"; what is empty is left out. */
const detailText = (details: Record<string, unknown>): string =>
  Object.entries(details)
    .filter(
      ([, value]) =>
        value !== null && value !== "" && !(Array.isArray(value) && value.length === 0),
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
      <strong>${row.action} ${target(row)}</strong>
      <span>${who(row)}, ${whenText(row.created_at)}</span>
      ${details && html`<span>${details}</span>`}
    </div>
  </li>`;
};

const showAudit = async (asked: Staff) => {
  const { app } = asked;
  const { by = "", action = "" } = entered(asked);
  const name = by.trim();
  // Of a name that is unknown there is nothing.
  const accountId = name === "" ? null : ((await findKnownId(app, name)) ?? "0");
  const filter = { accountId, action: action.trim() || null };
  const rows = await listAudit(app, pageOf(asked, LIMIT), filter);
  return sendAdmin(asked, {
    title: "Audit log",
    body: html`<form method="get" action="${AUDIT}" role="search">
        <div class="filters">
          ${inputField({ name: "by", label: "Done by", value: by, optional: true, maxlength: 300 })}
          ${inputField({ name: "action", label: "Action", value: action, optional: true, maxlength: 100 })}
          <button class="button">Search</button>
        </div>
      </form>
      ${
        rows.length === 0
          ? empty("Nothing has been recorded.")
          : html`<ul class="rows">
              ${rows.map(auditLine)}
            </ul>`
      }
      ${olderLink(asked, rows, LIMIT)}`,
  });
};

export const auditPages = (pages: Server, app: App): void => {
  pages.get(AUDIT, staffPage(app, ["audit.read"], showAudit));
};
