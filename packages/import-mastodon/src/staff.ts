// Imports the records of moderators: blocks, reports, strikes, notes, the audit log, follows that blocks ended.

import { named, copied, rowByRow } from "./step.ts";
import type { Row, Step } from "./step.ts";

const domainBlocks: Step = {
  name: "blocked servers",
  from: "domain_blocks",
  sweeps: "domain_blocks",
  convert: copied(
    "domain_blocks",
    `id domain reject_media reject_reports private_comment public_comment obfuscate
    created_at`,
    (row) => ({
      severity: named({ 0: "silence", 1: "suspend", 2: "noop" }, row.severity, "silence"),
    }),
  ),
};

const domainAllows: Step = {
  name: "allowed servers",
  from: "domain_allows",
  sweeps: "domain_allows",
  convert: copied("domain_allows", "id domain created_at"),
};

const emailDomains: Step = {
  name: "blocked mail providers",
  from: "email_domain_blocks",
  sweeps: "email_domain_blocks",
  convert: copied("email_domain_blocks", "id domain allow_with_approval created_at"),
};

const canonicalEmails: Step = {
  name: "blocked addresses",
  from: "canonical_email_blocks",
  sweeps: "canonical_email_blocks",
  convert: copied("canonical_email_blocks", "id canonical_email_hash created_at", (row) => ({
    account_id: row.reference_account_id,
  })),
};

const IP_SEVERITIES = {
  5000: "sign_up_requires_approval",
  5500: "sign_up_block",
  9999: "no_access",
};

const ips: Step = {
  name: "blocked networks",
  from: "ip_blocks",
  sweeps: "ip_blocks",
  convert: copied("ip_blocks", "id ip comment expires_at created_at", (row) => ({
    severity: named(IP_SEVERITIES, row.severity, "sign_up_block"),
  })),
};

const CATEGORIES = { 0: "other", 1000: "spam", 1500: "legal", 2000: "violation" };

const reports: Step = {
  name: "reports",
  from: "reports",
  sweeps: "reports",
  convert: copied(
    "reports",
    `id account_id target_account_id status_ids rule_ids comment uri action_taken_at
    action_taken_by_account_id assigned_account_id created_at updated_at`,
    (row) => ({
      category: named(CATEGORIES, row.category, "other"),
      forwarded: row.forwarded ?? false,
    }),
  ),
};

const notes: Step = {
  name: "notes on accounts",
  from: "account_moderation_notes",
  convert: copied("account_remarks", "id target_account_id account_id created_at", (row) => ({
    text: row.content,
  })),
};

/** Added to the ids of one of two tables that become one here, so that they do not collide. */
const REPORT_NOTES = 1_000_000_000_000n;

const reportNotes: Step = {
  name: "notes on reports",
  from: "report_notes",
  extra: {
    target_account_id: "SELECT r.target_account_id FROM reports r WHERE r.id = o.report_id",
  },
  convert: copied(
    "account_remarks",
    "target_account_id account_id report_id created_at",
    (row) => ({
      id: String(REPORT_NOTES + BigInt(row.id)),
      text: row.content,
    }),
  ),
};

const presets: Step = {
  name: "texts of warnings",
  from: "account_warning_presets",
  sweeps: "warning_presets",
  convert: copied("warning_presets", "id title text created_at"),
};

const ACTIONS = {
  0: "none",
  1000: "disable",
  1250: "mark_statuses_as_sensitive",
  1500: "delete_statuses",
  2000: "sensitive",
  3000: "silence",
  4000: "suspend",
};

const strikes: Step = {
  name: "strikes",
  counts: "strikes",
  from: "account_warnings",
  where: "o.target_account_id IS NOT NULL",
  convert: copied(
    "strikes",
    `id account_id target_account_id text report_id status_ids overruled_at created_at`,
    (row) => ({
      action: named(ACTIONS, row.action, "none"),
    }),
  ),
};

const decided = (row: Row) => ({
  decided_at: row.approved_at ?? row.rejected_at,
  approved: row.approved_at ? true : row.rejected_at ? false : null,
  decided_by_account_id: row.approved_by_account_id ?? row.rejected_by_account_id,
});

const appeals: Step = {
  name: "appeals",
  counts: "appeals",
  from: "appeals",
  convert: rowByRow("appeals", (row) => ({
    strike_id: row.account_warning_id,
    text: row.text,
    ...decided(row),
    created_at: row.created_at,
  })),
};

/** Turns DomainBlock into domain_block. */
const underscored = (name: string): string =>
  name
    .replaceAll("::", "")
    .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toLowerCase();

const acts: Step = {
  name: "log of the staff",
  from: "admin_action_logs",
  convert: rowByRow("audit_log", (row) => {
    const type = row.target_type && underscored(row.target_type);
    return {
      id: row.id,
      account_id: row.account_id,
      action: type ? `${type}.${row.action}` : row.action,
      target_type: type,
      target_id: row.target_id,
      target_label: row.human_identifier ?? "",
      created_at: row.created_at,
    };
  }),
};

const severances: Step = {
  name: "severed relationships: events",
  counts: "severance_events",
  from: "relationship_severance_events",
  convert: copied("severance_events", "id target_name purged created_at", (row) => ({
    type: named(
      { 0: "domain_block", 1: "user_domain_block", 2: "account_suspension" },
      row.type,
      "domain_block",
    ),
  })),
};

const severed: Step = {
  name: "severed relationships",
  counts: "severed_relationships",
  from: "severed_relationships",
  convert: rowByRow("severed_relationships", (row) => ({
    event_id: row.relationship_severance_event_id,
    account_id: row.local_account_id,
    other_account_id: row.remote_account_id,
    direction: named({ 0: "follower", 1: "followed" }, row.direction, "follower"),
    show_reblogs: row.show_reblogs ?? true,
    notify: row.notify ?? false,
    languages: row.languages,
  })),
};

export const STAFF_STEPS: Step[] = [
  domainBlocks,
  domainAllows,
  emailDomains,
  canonicalEmails,
  ips,
  reports,
  notes,
  reportNotes,
  presets,
  strikes,
  appeals,
  acts,
  severances,
  severed,
];
