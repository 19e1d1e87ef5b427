// The navigation of the pages for the staff: a section is shown to those who may do one of its acts.

import type { Key } from "../../platform/text/texts.ts";
import { ACTS } from "../../domain/base/roles/acts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import type { Waiting } from "../../domain/staff/measures/waiting.ts";

export type Section = {
  path: string;
  label: Key;
  group: Key;
  acts: readonly Act[];
  /** Count of what waits there for a decision. */
  counts?: keyof Waiting;
};

/** Acts of which anybody on the staff may do at least one. */
export const ANY = Object.keys(ACTS) as Act[];

type Entry = readonly [path: string, label: Key, acts: readonly Act[], counts?: keyof Waiting];

const GROUPS: Partial<Record<Key, readonly Entry[]>> = {
  "staff.group.moderation": [
    ["/admin", "staff.section.overview", ANY],
    ["/admin/reports", "staff.section.reports", ["reports.read"], "reports"],
    ["/admin/accounts", "staff.section.accounts", ["accounts.read"]],
    ["/admin/sign_ups", "staff.section.sign_ups", ["accounts.read"], "signUps"],
    ["/admin/appeals", "staff.section.appeals", ["appeals.decide"], "appeals"],
    ["/admin/trends", "staff.section.trends", ["trends.review"], "trends"],
    ["/admin/spam", "staff.section.spam", ["spam.read"], "held"],
  ],
  "staff.group.network": [
    ["/admin/domains", "staff.section.servers", ["domain_blocks.read"]],
    ["/admin/blocks", "staff.section.blocked_sign_ups", ["ip_blocks.read"]],
  ],
  "staff.group.community": [
    ["/admin/announcements", "staff.section.announcements", ["announcements.write"]],
    ["/admin/invites", "staff.section.invitations", ["invites.manage"]],
    ["/admin/rules", "staff.section.rules", ["rules.write"]],
    ["/admin/emojis", "staff.section.custom_emojis", ["emojis.write"]],
  ],
  "staff.group.server": [
    ["/admin/first_steps", "staff.section.first_steps", ["settings.write"]],
    ["/admin/settings", "staff.section.settings", ["settings.write"]],
    ["/admin/roles", "staff.section.roles", ["roles.write"]],
    ["/admin/webhooks", "staff.section.webhooks", ["webhooks.write"]],
    ["/admin/audit", "staff.section.audit_log", ["audit.read"]],
  ],
};

export const SECTIONS: readonly Section[] = Object.entries(GROUPS).flatMap(([group, entries]) =>
  entries.map(([path, label, acts, counts]) => ({
    path,
    label,
    group: group as Key,
    acts,
    ...(counts && { counts }),
  })),
);
