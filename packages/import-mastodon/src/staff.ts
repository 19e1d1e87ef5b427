// Imports the records of moderators: blocks, reports, strikes, notes, the audit log, follows that blocks ended.

import { named, rowByRow } from "./step.ts";
import type { Row, Step } from "./step.ts";

const domainBlocks: Step = {
  name: "blocked servers",
  from: "domain_blocks",
  sweeps: "domain_blocks",
  convert: rowByRow("domain_blocks", (row) => ({
    id: row.id,
    domain: row.domain,
    severity: named({ 0: "silence", 1: "suspend", 2: "noop" }, row.severity, "silence"),
    reject_media: row.reject_media,
    reject_reports: row.reject_reports,
    private_comment: row.private_comment,
    public_comment: row.public_comment,
    obfuscate: row.obfuscate,
    created_at: row.created_at,
  })),
};

const domainAllows: Step = {
  name: "allowed servers",
  from: "domain_allows",
  sweeps: "domain_allows",
  convert: rowByRow("domain_allows", (row) => ({
    id: row.id,
    domain: row.domain,
    created_at: row.created_at,
  })),
};

const emailDomains: Step = {
  name: "blocked mail providers",
  from: "email_domain_blocks",
  sweeps: "email_domain_blocks",
  convert: rowByRow("email_domain_blocks", (row) => ({
    id: row.id,
    domain: row.domain,
    allow_with_approval: row.allow_with_approval,
    created_at: row.created_at,
  })),
};

const canonicalEmails: Step = {
  name: "blocked addresses",
  from: "canonical_email_blocks",
  sweeps: "canonical_email_blocks",
  convert: rowByRow("canonical_email_blocks", (row) => ({
    id: row.id,
    canonical_email_hash: row.canonical_email_hash,
    account_id: row.reference_account_id,
    created_at: row.created_at,
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
  convert: rowByRow("ip_blocks", (row) => ({
    id: row.id,
    ip: row.ip,
    severity: named(IP_SEVERITIES, row.severity, "sign_up_block"),
    comment: row.comment,
    expires_at: row.expires_at,
    created_at: row.created_at,
  })),
};

const CATEGORIES = { 0: "other", 1000: "spam", 1500: "legal", 2000: "violation" };

const reports: Step = {
  name: "reports",
  from: "reports",
  sweeps: "reports",
  convert: rowByRow("reports", (row) => ({
    id: row.id,
    account_id: row.account_id,
    target_account_id: row.target_account_id,
    status_ids: row.status_ids,
    rule_ids: row.rule_ids,
    comment: row.comment,
    category: named(CATEGORIES, row.category, "other"),
    forwarded: row.forwarded ?? false,
    uri: row.uri,
    action_taken_at: row.action_taken_at,
    action_taken_by_account_id: row.action_taken_by_account_id,
    assigned_account_id: row.assigned_account_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })),
};

const notes: Step = {
  name: "notes on accounts",
  from: "account_moderation_notes",
  convert: rowByRow("account_remarks", (row) => ({
    id: row.id,
    target_account_id: row.target_account_id,
    account_id: row.account_id,
    text: row.content,
    created_at: row.created_at,
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
  convert: rowByRow("account_remarks", (row) => ({
    id: String(REPORT_NOTES + BigInt(row.id)),
    target_account_id: row.target_account_id,
    account_id: row.account_id,
    report_id: row.report_id,
    text: row.content,
    created_at: row.created_at,
  })),
};

const presets: Step = {
  name: "texts of warnings",
  from: "account_warning_presets",
  sweeps: "warning_presets",
  convert: rowByRow("warning_presets", (row) => ({
    id: row.id,
    title: row.title,
    text: row.text,
    created_at: row.created_at,
  })),
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
  convert: rowByRow("strikes", (row) => ({
    id: row.id,
    account_id: row.account_id,
    target_account_id: row.target_account_id,
    action: named(ACTIONS, row.action, "none"),
    text: row.text,
    report_id: row.report_id,
    status_ids: row.status_ids,
    overruled_at: row.overruled_at,
    created_at: row.created_at,
  })),
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
  convert: rowByRow("severance_events", (row) => ({
    id: row.id,
    type: named(
      { 0: "domain_block", 1: "user_domain_block", 2: "account_suspension" },
      row.type,
      "domain_block",
    ),
    target_name: row.target_name,
    purged: row.purged,
    created_at: row.created_at,
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
