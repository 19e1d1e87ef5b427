// The navigation of the pages for the staff: a section is shown to those who may do one of its acts.

import { ACTS } from "../../domain/base/roles/acts.ts";
import type { Act } from "../../domain/base/roles/acts.ts";
import type { Waiting } from "../../domain/staff/measures/waiting.ts";
import type { Key } from "../../platform/text/texts.ts";

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

export const SECTIONS: readonly Section[] = [
  { path: "/admin", label: "staff.section.overview", group: "staff.group.moderation", acts: ANY },
  {
    path: "/admin/reports",
    label: "staff.section.reports",
    group: "staff.group.moderation",
    acts: ["reports.read"],
    counts: "reports",
  },
  {
    path: "/admin/accounts",
    label: "staff.section.accounts",
    group: "staff.group.moderation",
    acts: ["accounts.read"],
  },
  {
    path: "/admin/sign_ups",
    label: "staff.section.sign_ups",
    group: "staff.group.moderation",
    acts: ["accounts.read"],
    counts: "signUps",
  },
  {
    path: "/admin/appeals",
    label: "staff.section.appeals",
    group: "staff.group.moderation",
    acts: ["appeals.decide"],
    counts: "appeals",
  },
  {
    path: "/admin/trends",
    label: "staff.section.trends",
    group: "staff.group.moderation",
    acts: ["trends.review"],
    counts: "trends",
  },
  {
    path: "/admin/spam",
    label: "staff.section.spam",
    group: "staff.group.moderation",
    acts: ["spam.read"],
    counts: "held",
  },
  {
    path: "/admin/domains",
    label: "staff.section.servers",
    group: "staff.group.network",
    acts: ["domain_blocks.read"],
  },
  {
    path: "/admin/blocks",
    label: "staff.section.blocked_sign_ups",
    group: "staff.group.network",
    acts: ["ip_blocks.read"],
  },
  {
    path: "/admin/announcements",
    label: "staff.section.announcements",
    group: "staff.group.community",
    acts: ["announcements.write"],
  },
  {
    path: "/admin/invites",
    label: "staff.section.invitations",
    group: "staff.group.community",
    acts: ["invites.manage"],
  },
  {
    path: "/admin/rules",
    label: "staff.section.rules",
    group: "staff.group.community",
    acts: ["rules.write"],
  },
  {
    path: "/admin/emojis",
    label: "staff.section.custom_emojis",
    group: "staff.group.community",
    acts: ["emojis.write"],
  },
  {
    path: "/admin/first_steps",
    label: "staff.section.first_steps",
    group: "staff.group.server",
    acts: ["settings.write"],
  },
  {
    path: "/admin/settings",
    label: "staff.section.settings",
    group: "staff.group.server",
    acts: ["settings.write"],
  },
  {
    path: "/admin/roles",
    label: "staff.section.roles",
    group: "staff.group.server",
    acts: ["roles.write"],
  },
  {
    path: "/admin/webhooks",
    label: "staff.section.webhooks",
    group: "staff.group.server",
    acts: ["webhooks.write"],
  },
  {
    path: "/admin/audit",
    label: "staff.section.audit_log",
    group: "staff.group.server",
    acts: ["audit.read"],
  },
];
