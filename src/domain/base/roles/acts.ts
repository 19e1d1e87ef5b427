// Declares the acts of the staff, the permissions of which an act needs one, and whether the actor's role has to rank
// above that of the account concerned.

import { Forbidden } from "../../../platform/errors.ts";
import { mayOneOf } from "./permissions.ts";
import type { Actor, Permission } from "./permissions.ts";

type Rule = { needs: readonly Permission[]; ranks?: true };

const USERS = ["manage_users"] as const;
const REPORTS = ["manage_reports"] as const;
const FEDERATION = ["manage_federation"] as const;
const BLOCKS = ["manage_blocks"] as const;
const MODERATION = ["manage_users", "manage_reports"] as const;

export const ACTS = {
  "accounts.read": { needs: USERS },
  "accounts.remark": { needs: USERS, ranks: true },
  "accounts.warn": { needs: MODERATION, ranks: true },
  "accounts.sensitive": { needs: MODERATION, ranks: true },
  "accounts.silence": { needs: MODERATION, ranks: true },
  "accounts.suspend": { needs: MODERATION, ranks: true },
  "accounts.disable": { needs: USERS, ranks: true },
  "accounts.enable": { needs: USERS, ranks: true },
  "accounts.unsensitive": { needs: USERS, ranks: true },
  "accounts.unsilence": { needs: USERS, ranks: true },
  "accounts.unsuspend": { needs: USERS, ranks: true },
  "accounts.approve": { needs: USERS, ranks: true },
  "accounts.reject": { needs: USERS, ranks: true },
  "accounts.confirm": { needs: USERS, ranks: true },
  "accounts.access": { needs: ["manage_user_access"], ranks: true },
  "accounts.delete": { needs: ["delete_user_data"], ranks: true },
  "accounts.change_role": { needs: ["manage_roles"], ranks: true },
  "reports.read": { needs: REPORTS },
  "reports.write": { needs: REPORTS },
  "domain_blocks.read": { needs: FEDERATION },
  "domain_blocks.write": { needs: FEDERATION },
  "domain_allows.read": { needs: FEDERATION },
  "domain_allows.write": { needs: FEDERATION },
  "servers.read": { needs: FEDERATION },
  "servers.write": { needs: FEDERATION },
  "relays.write": { needs: FEDERATION },
  "fasp.write": { needs: FEDERATION },
  "ip_blocks.read": { needs: BLOCKS },
  "ip_blocks.write": { needs: BLOCKS },
  "email_domain_blocks.read": { needs: BLOCKS },
  "email_domain_blocks.write": { needs: BLOCKS },
  "canonical_email_blocks.read": { needs: BLOCKS },
  "canonical_email_blocks.write": { needs: BLOCKS },
  "figures.read": { needs: ["view_dashboard"] },
  "trends.review": { needs: ["manage_taxonomies"] },
  "tags.read": { needs: ["manage_taxonomies"] },
  "tags.write": { needs: ["manage_taxonomies"] },
  "appeals.decide": { needs: ["manage_appeals"] },
  "audit.read": { needs: ["view_audit_log"] },
  "announcements.write": { needs: ["manage_announcements"] },
  "rules.write": { needs: ["manage_rules"] },
  "emojis.write": { needs: ["manage_custom_emojis"] },
  "roles.write": { needs: ["manage_roles"] },
  "spam.read": { needs: BLOCKS },
  "spam.write": { needs: BLOCKS },
  "settings.write": { needs: ["manage_settings"] },
  // Whoever names a provider decides who may sign in as anybody.
  "sso.write": { needs: ["administrator"] },
  "invites.manage": { needs: ["manage_invites"] },
  "groups.write": { needs: USERS },
  "webhooks.write": { needs: ["manage_webhooks"] },
} as const satisfies Record<string, Rule>;

export type Act = keyof typeof ACTS;

/** The account that an act is about; `domain` is null for this server. */
type Target = { domain: string | null; role?: { position: number } | null };

const isAbove = (actor: Actor, target: Target): boolean =>
  target.domain !== null || actor.position > (target.role?.position ?? -1);

export const may = (actor: Actor, act: Act, target?: Target): boolean => {
  const rule: Rule = ACTS[act];
  if (!mayOneOf(actor.permissions, rule.needs)) return false;
  return !rule.ranks || !target || isAbove(actor, target);
};

/** Throws Forbidden unless the actor's role allows the act, also on this account where one is given. */
export const requireMay = (actor: Actor, act: Act, target?: Target): void => {
  if (!may(actor, act, target)) throw new Forbidden();
};
