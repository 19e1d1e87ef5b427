// Presents accounts and reports to moderators as JSON entities. https://docs.joinmastodon.org/entities/Admin_Account/,
// https://docs.joinmastodon.org/entities/Admin_Report/

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { roleEntity } from "../../base/roles/roles.ts";
import { ruleEntity } from "../../base/rules/rules.ts";
import type { RuleRow } from "../../base/rules/tables.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import type { AdminAccountView, AdminReportView } from "./load.ts";

type Site = FullConfig["site"];

const userMembers = ({ user, account }: AdminAccountView) => ({
  email: user?.email ?? null,
  ip: user?.ips[0]?.ip ?? null,
  ips: user?.ips.map(({ ip, used_at: at }) => ({ ip, used_at: isoTime(new Date(at)) })) ?? null,
  locale: user?.locale ?? null,
  invite_request: user?.reason ?? null,
  role: user && account.role ? roleEntity(account.role) : null,
  confirmed: user?.confirmed ?? null,
  approved: user?.approved ?? null,
  disabled: user?.disabled ?? null,
});

export const adminAccountEntity = (view: AdminAccountView, site: Site) => {
  const { account, user } = view;
  return {
    id: account.id,
    username: account.username,
    domain: account.domain,
    created_at: isoTime(account.created_at),
    ...userMembers(view),
    sensitized: account.sensitized_at !== null,
    silenced: account.silenced_at !== null,
    suspended: account.suspended_at !== null,
    account: accountEntity(account, site),
    ...(user?.invited_by && { invited_by_account_id: user.invited_by }),
    ...(user?.app_id && { created_by_application_id: user.app_id }),
  };
};

/** `rules` are those in force. */
export const adminReportEntity = (view: AdminReportView, rules: RuleRow[], site: Site) => {
  const { report } = view;
  const named = new Set(report.rule_ids);
  return {
    id: report.id,
    action_taken: report.action_taken_at !== null,
    action_taken_at: report.action_taken_at && isoTime(report.action_taken_at),
    category: report.category,
    comment: report.comment,
    forwarded: report.forwarded,
    created_at: isoTime(report.created_at),
    updated_at: isoTime(report.updated_at),
    account: adminAccountEntity(view.account, site),
    target_account: adminAccountEntity(view.target, site),
    assigned_account: view.assigned && adminAccountEntity(view.assigned, site),
    action_taken_by_account: view.takenBy && adminAccountEntity(view.takenBy, site),
    statuses: view.statuses.map((status) => statusEntity(status, site)),
    rules: rules.filter(({ id }) => named.has(id)).map(ruleEntity),
  };
};
