// The navigation of the pages for the staff: a section is shown to those who may do one of its acts.

import { ACTS } from "../../domain/moderation/acts.ts";
import type { Act } from "../../domain/moderation/acts.ts";
import type { Waiting } from "./queries.ts";

export type Section = {
  path: string;
  label: string;
  group: "Moderation" | "Network" | "Community" | "Server";
  acts: readonly Act[];
  /** What waits there for a decision. */
  counts?: keyof Waiting;
};

/** Of anybody on the staff. */
export const ANY = Object.keys(ACTS) as Act[];

export const SECTIONS: readonly Section[] = [
  { path: "/admin", label: "Overview", group: "Moderation", acts: ANY },
  {
    path: "/admin/reports",
    label: "Reports",
    group: "Moderation",
    acts: ["reports.read"],
    counts: "reports",
  },
  { path: "/admin/accounts", label: "Accounts", group: "Moderation", acts: ["accounts.read"] },
  {
    path: "/admin/sign_ups",
    label: "Sign-ups",
    group: "Moderation",
    acts: ["accounts.read"],
    counts: "signUps",
  },
  {
    path: "/admin/appeals",
    label: "Appeals",
    group: "Moderation",
    acts: ["appeals.decide"],
    counts: "appeals",
  },
  {
    path: "/admin/trends",
    label: "Trends",
    group: "Moderation",
    acts: ["trends.review"],
    counts: "trends",
  },
  {
    path: "/admin/spam",
    label: "Spam",
    group: "Moderation",
    acts: ["spam.read"],
    counts: "held",
  },
  { path: "/admin/domains", label: "Servers", group: "Network", acts: ["domain_blocks.read"] },
  { path: "/admin/blocks", label: "Blocked sign-ups", group: "Network", acts: ["ip_blocks.read"] },
  {
    path: "/admin/announcements",
    label: "Announcements",
    group: "Community",
    acts: ["announcements.write"],
  },
  { path: "/admin/invites", label: "Invitations", group: "Community", acts: ["invites.manage"] },
  { path: "/admin/rules", label: "Rules", group: "Community", acts: ["rules.write"] },
  { path: "/admin/emojis", label: "Custom emojis", group: "Community", acts: ["emojis.write"] },
  {
    path: "/admin/first_steps",
    label: "First steps",
    group: "Server",
    acts: ["settings.write"],
  },
  { path: "/admin/settings", label: "Settings", group: "Server", acts: ["settings.write"] },
  { path: "/admin/roles", label: "Roles", group: "Server", acts: ["roles.write"] },
  { path: "/admin/webhooks", label: "Webhooks", group: "Server", acts: ["webhooks.write"] },
  { path: "/admin/audit", label: "Audit log", group: "Server", acts: ["audit.read"] },
];
