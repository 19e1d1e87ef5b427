// Shows the audit log, newest first: acts of the staff, of the command line, of rules and of scheduled jobs.

import type { FastifyReply } from "fastify";
import type { Inline, Row } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { newestPage } from "../../platform/db/paging.ts";
import { addDays, idAt } from "../../platform/ids/index.ts";
import { sendCsv } from "../../platform/http/line-files.ts";
import type { Server } from "../../platform/http/server.ts";
import { writeCsv } from "../../platform/text/csv.ts";
import { isKey, says, textsIn } from "../../platform/text/texts.ts";
import type { Key, Say, Texts } from "../../platform/text/texts.ts";
import { describeScopes } from "../../domain/people/oauth/scopes.ts";
import { findKnownId } from "../../domain/people/accounts/find.ts";
import { Unprocessable, isRefusal } from "../../platform/errors.ts";
import { ACTIONS, KINDS, UNSHOWN } from "../../domain/base/audit/actions.ts";
import type { AuditAction } from "../../domain/base/audit/actions.ts";
import { listAudit } from "../../domain/base/audit/audit.ts";
import type { AuditFilter, AuditRow } from "../../domain/base/audit/audit.ts";
import { EVERYONE_ID } from "../../domain/base/roles/roles.ts";
import type { PublicName } from "../../domain/base/settings/definitions.ts";
import { older } from "./page-parts.ts";
import { entered, idOf, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { valueInWords } from "./settings.ts";
import { LISTS, RELAYS, serverPath } from "./server-parts.ts";
import { byName, listed } from "../../../texts/lists.ts";

const AUDIT = "/admin/audit";
const LIMIT = 60;
/** Entries of an export. */
const EXPORTED = 10_000;

const pathOf: Record<string, (row: AuditRow) => string> = {
  account: ({ target_id: id }) => `/admin/accounts/${id}`,
  group: ({ target_id: id }) => `/admin/accounts/${id}`,
  report: ({ target_id: id }) => `/admin/reports/${id}`,
  rule: () => "/admin/rules",
  role: () => "/admin/roles",
  webhook: () => "/admin/webhooks",
  announcement: () => "/admin/announcements",
  emoji: () => "/admin/emojis",
  setting: () => "/admin/settings",
  spam_rule: () => "/admin/spam",
  relay: () => RELAYS,
  domain_list: () => LISTS,
  domain: ({ target_label: label }) => serverPath(label),
  domain_allow: ({ target_label: label }) => serverPath(label),
  domain_block: ({ target_label: label }) => serverPath(label),
};

/** Returns a setting's name on the page of settings. */
const settingName = (t: Say, name: string): string => {
  const picture = `staff.look.${name.replace(/_picture$/, "")}`;
  const key = name.endsWith("_picture") ? picture : `staff.setting.${name}`;
  return isKey(key) ? t(key) : name;
};

/**
 * Returns the target's name, never its id, which means nothing to people. Entries of former versions may lack the name.
 */
const targetText = (t: Say, row: AuditRow): string => {
  const { target_type: type, target_label: label, target_id: id } = row;
  if (type === "role" && id === EVERYONE_ID) return t("staff.roles.everybody");
  if (label === "") return t("audit.unnamed");
  if (type === "status") return t("audit.post_of", { name: label });
  if (type === "setting") return settingName(t, label);
  return type === "account" ? `@${label.replace(/^@/, "")}` : label;
};

const targetLink = (t: Say, row: AuditRow): Inline => {
  const path = row.target_type === null ? undefined : pathOf[row.target_type]?.(row);
  const text = targetText(t, row);
  return path ? { link: path, text } : { strong: text };
};

/** Returns who acted; entries of scheduled jobs, rules and providers of sign-in say so in their details. */
const actorText = (t: Say, { username, account_id: id, details }: AuditRow): string => {
  if (username) return `@${username}`;
  if (id !== null) return t("audit.actor.gone");
  if (details["by"] === "clock") return t("audit.actor.clock");
  if (typeof details["provider"] === "string") return details["provider"];
  return t(details["spam_rule"] ? "audit.actor.spam_rule" : "audit.actor.command_line");
};

const lineOf = (t: Say, row: AuditRow): Inline => {
  const text = actorText(t, row);
  const actor = row.username ? { link: `/admin/accounts/${row.account_id}`, text } : text;
  const of = targetLink(t, row);
  const key = `audit.${row.action}`;
  // The action was written by a version with other actions.
  return isKey(key) ? { say: key, with: { actor, of } } : [actor, row.action, of];
};

/** Returns a detail's name in words. */
const detailName = (t: Say, name: string): string => {
  const key = `audit.detail.${name}`;
  return isKey(key) ? t(key) : name.replaceAll("_", " ");
};

const HIDDEN: ReadonlySet<string> = new Set(UNSHOWN);
/** Details of which the number is said: "3 reports closed". */
const COUNTED: ReadonlySet<string> = new Set([
  "added",
  "emojis",
  "resolved",
  "status_ids",
  "statuses",
]);

/** Codes for which the catalogue has words. */
const WORDS: Record<string, string> = {
  category: "moderation.category",
  decision: "moderation.decision",
  permissions: "staff.may",
  severity: "network.severity",
};

const wordOf = (t: Say, name: string, code: unknown): string => {
  const key = `${WORDS[name]}.${String(code)}`;
  return isKey(key) ? t(key) : String(code);
};

/** Formats values of settings that are choices or switches. */
const settingValue = (t: Say, setting: string, value: string): string => {
  if (setting.endsWith("_picture")) {
    return t(value === "removed" ? "staff.look.builtin" : "staff.look.own");
  }
  const isKnown = value !== "" && isKey(`staff.setting.${setting}`);
  return isKnown ? valueInWords(t, setting as PublicName, value) : value;
};

const scopesText = (texts: Texts, scopes: string[]): string =>
  describeScopes(texts, scopes)
    .map(({ title }) => title)
    .join(" · ");

const valueText = (texts: Texts, row: AuditRow, name: string, value: unknown): string => {
  const { t } = texts;
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  if (Array.isArray(value)) {
    if (name === "scopes") return scopesText(texts, value.map(String));
    return listed(
      texts.language,
      value.map((code) => wordOf(t, name, code)),
    );
  }
  if (row.target_type === "setting") return settingValue(t, row.target_label, String(value));
  return wordOf(t, name, value);
};

const oneDetail = (texts: Texts, row: AuditRow, name: string, value: unknown): string => {
  const count = Array.isArray(value) ? value.length : Number(value);
  if (COUNTED.has(name)) return texts.t(`audit.detail.${name}` as Key, { count });
  const text = valueText(texts, row, name, value);
  return texts.t("words.pair", { name: detailName(texts.t, name), value: text });
};

const detailTexts = (texts: Texts, row: AuditRow): string[] =>
  Object.entries(row.details)
    .filter(
      ([name, value]) =>
        !HIDDEN.has(name) &&
        value !== null &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0),
    )
    .map(([name, value]) => oneDetail(texts, row, name, value));

type Decision = { type: "account" | "held_post"; actions: readonly AuditAction[] };

/** Runs a decision about the entry; one that comes too late is refused with who decided before, and what. */
export const unlessDecided =
  ({ type, actions }: Decision, work: (staff: Staff) => Promise<unknown>) =>
  async (staff: Staff): Promise<void> => {
    const { app, t } = staff;
    try {
      await work(staff);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const target = { type, id: idOf(staff) };
      const [row] = await listAudit(app, newestPage(1), { target, actions });
      if (!row) throw error;
      const entry = t(`audit.${row.action as AuditAction}`, {
        actor: actorText(t, row),
        of: targetText(t, row),
      });
      throw new Unprocessable(says("moderation.decided_before", { entry }));
    }
  };

export const auditRow = (staff: Staff, row: AuditRow): Row => ({
  title: null,
  lines: [{ said: lineOf(staff.t, row) }, row.created_at, { joined: detailTexts(staff, row) }],
});

const dayOf = (text: string | undefined): Date | null => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text ?? "") ? new Date(`${text}T00:00:00Z`) : null;
  return day && !Number.isNaN(day.getTime()) ? day : null;
};

/** An id that no account has, so that nothing is found. */
const NOBODY = "0";

const idNamed = async (app: App, name: string | undefined): Promise<string | null> =>
  name?.trim() ? ((await findKnownId(app, name.trim())) ?? NOBODY) : null;

/** Filters by target: an account, else anything with this name. */
const aboutFilter = async (app: App, text: string | undefined): Promise<AuditFilter> => {
  const name = text?.trim();
  if (!name) return {};
  const id = await findKnownId(app, name);
  return id ? { target: { type: "account", id } } : { label: name };
};

const actionsOf = (kind: string | undefined): string[] | null =>
  KINDS.some((known) => known === kind)
    ? ACTIONS.filter((action) => action.startsWith(`${kind}.`))
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

type Plain = { plain: string };

const kindOptions = ({ t, language }: Staff): [string, Plain][] => {
  const kinds = KINDS.map((kind) => [kind, { plain: t(`audit.kind.${kind}`) }] as [string, Plain]);
  const all = byName(language, kinds, ([, { plain }]) => plain);
  return [["", { plain: t("audit.everything") }], ...all];
};

const showAudit = async (staff: Staff) => {
  const { t } = staff;
  const rows = await listAudit(staff.app, pageOf(staff, LIMIT), await filterOf(staff));
  const { max_id: _page, ...filters } = entered(staff);
  const csv = `${AUDIT}/export.csv?${new URLSearchParams(filters as Record<string, string>)}`;
  return sendAdmin(staff, {
    parts: [
      {
        filters: {
          action: AUDIT,
          fields: [
            { name: "by", label: "audit.by", optional: true, max: 300 },
            { name: "kind", label: "audit.what", options: kindOptions(staff) },
            { name: "about", label: "audit.about", optional: true, max: 500 },
            { name: "from", label: "audit.from", type: "date", optional: true },
            { name: "to", label: "audit.to", type: "date", optional: true },
          ],
        },
      },
      rows.length > 0 && { text: { link: csv, text: t("audit.export") } },
      { rows: rows.map((row) => auditRow(staff, row)), none: "audit.none" },
      older(rows, LIMIT),
    ],
  });
};

/** Prefixes texts that spreadsheets would take for formulas. */
const asCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Exports are in English, whoever makes them, because programs read them. */
const english = textsIn("en");

const exportAudit = async (staff: Staff): Promise<FastifyReply> => {
  const rows = await listAudit(staff.app, newestPage(EXPORTED), await filterOf(staff));
  const lines = rows.map((row) =>
    [
      row.created_at.toISOString(),
      actorText(english.t, row).replace(/^@/, ""),
      row.action,
      row.target_type ?? "",
      row.target_type === null ? "" : targetText(english.t, row),
      detailTexts(english, row).join(" · "),
    ].map(asCell),
  );
  const body = writeCsv([["time", "by", "action", "type", "target", "details"], ...lines]);
  return sendCsv(staff.reply, "audit-log.csv", body);
};

export const auditPages = (pages: Server, app: App): void => {
  pages.get(AUDIT, staffPage(app, ["audit.read"], showAudit));
  pages.get(`${AUDIT}/export.csv`, staffPage(app, ["audit.read"], exportAudit));
};
