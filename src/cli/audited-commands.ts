// Says what each command records in the audit log: the command of the domain that it calls, or only that it ran. Those
// that record nothing only read, or work before there is a server.

import type { Command } from "commander";
import type { AuditAction } from "../domain/base/audit/actions.ts";
import { audit } from "../domain/base/audit/audit.ts";
import { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
import type { App } from "../platform/app.ts";

export const READS: ReadonlySet<string> = new Set([
  "start",
  "migrate",
  "backup",
  "restore",
  "upgrade",
  "plan",
  "import mastodon",
  "doctor",
  "config",
  "accounts pending",
  "relays list",
  "settings list",
  "settings get",
  "reports list",
  "groups list",
  "roles list",
  "audit list",
  "domain-blocks list",
  "domain-blocks export",
  "domain-lists list",
  "domain-lists changes",
  "spam-rules list",
  "held-posts list",
  "email-domain-blocks list",
  "canonical-email-blocks find",
  "ip-blocks list",
  "ip-blocks export",
  "rules list",
  "terms list",
  "announcements list",
  "emojis list",
  "emojis export",
  "nodeinfo validate",
  "media usage",
  "domains list",
  "domains crawl",
]);

/** Commands of maintenance on many rows, which are not recorded one by one: only that they ran. */
const RUNS: ReadonlySet<string> = new Set([
  "accounts refresh",
  "accounts cull",
  "accounts prune",
  "media remove",
  "media refresh",
  "media move",
  "statuses remove",
  "preview-cards remove",
  "feeds build",
  "feeds clear",
  "cache clear",
  "cache recount",
  "search reindex",
  "maintenance",
  "export",
]);

export const AUDITED_AS: Readonly<Record<string, AuditAction>> = {
  ...Object.fromEntries([...RUNS].map((path) => [path, "command.run" as const])),
  setup: "account.create",
  "accounts create": "account.create",
  "accounts modify": "account.reset_password",
  "accounts suspend": "account.suspend",
  "accounts silence": "account.silence",
  "accounts sensitive": "account.sensitive",
  "accounts disable": "account.disable",
  "accounts warn": "account.warn",
  "accounts reject": "account.reject",
  "accounts unsuspend": "account.unsuspend",
  "accounts unsilence": "account.unsilence",
  "accounts unsensitive": "account.unsensitive",
  "accounts enable": "account.enable",
  "accounts purge": "account.delete",
  "accounts approve": "account.approve",
  "accounts delete": "account.delete",
  "accounts rotate": "account.rotate_keys",
  "accounts follow": "account.follow_by_all",
  "accounts unfollow": "account.unfollow_by_all",
  "accounts backup": "account.archive",
  "tokens create": "token.create",
  "relays add": "relay.add",
  "relays remove": "relay.remove",
  "settings set": "setting.update",
  "settings registrations": "setting.update",
  "settings picture": "setting.update",
  "reports resolve": "report.resolve",
  "reports delete-posts": "report.delete_statuses",
  "reports mark-posts": "report.mark_statuses_as_sensitive",
  "groups transfer": "group.transfer",
  "roles create": "role.create",
  "roles modify": "role.update",
  "roles remove": "role.delete",
  "domain-blocks add": "domain_block.create",
  "domain-blocks remove": "domain_block.delete",
  "domain-blocks import": "domain_block.create",
  "domain-lists add": "domain_list.create",
  "domain-lists remove": "domain_list.delete",
  "domain-lists sync": "domain_list.sync",
  "domain-lists exceptions": "domain_list.except",
  "spam-rules add": "spam_rule.create",
  "spam-rules dry-run": "spam_rule.dry_run",
  "spam-rules enable": "spam_rule.enable",
  "spam-rules disable": "spam_rule.disable",
  "spam-rules undo": "spam_rule.undo",
  "spam-rules remove": "spam_rule.delete",
  "held-posts approve": "held_post.approve",
  "held-posts discard": "held_post.discard",
  "email-domain-blocks add": "email_domain_block.create",
  "email-domain-blocks remove": "email_domain_block.delete",
  "canonical-email-blocks add": "canonical_email_block.create",
  "canonical-email-blocks remove": "canonical_email_block.delete",
  "ip-blocks add": "ip_block.create",
  "ip-blocks remove": "ip_block.delete",
  "rules add": "rule.create",
  "rules translate": "rule.translate",
  "rules remove": "rule.delete",
  "terms publish": "terms.publish",
  "announcements create": "announcement.create",
  "announcements remove": "announcement.delete",
  "emojis add": "emoji.create",
  "emojis import": "emoji.import",
  "emojis copy": "emoji.create",
  "emojis disable": "emoji.update",
  "emojis enable": "emoji.update",
  "emojis category": "emoji.update",
  "emojis remove": "emoji.delete",
  "domains purge": "domain.purge",
  "domains retry": "domain.retry_deliveries",
  "domains stop": "domain.stop_deliveries",
  "domains resume": "domain.resume_deliveries",
  "self-destruct": "server.self_destruct",
  "move-domain": "server.move_domain",
};

/** Returns a command's path: `accounts create`. */
export const pathOf = (command: Command): string => {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  return names.join(" ");
};

let running: string | null = null;

/** Remembers the command before it does anything. */
export const noteCommand = (command: Command): void => {
  const isDry = (command.opts() as { dryRun?: boolean }).dryRun === true;
  const path = pathOf(command);
  running = RUNS.has(path) && !isDry ? path : null;
};

/** Records a maintenance command once, before it changes anything. */
export const recordRun = async (app: App): Promise<void> => {
  const label = running;
  running = null;
  if (label === null) return;
  const target = { type: "command", id: null, label };
  await audit(app, app.sql, COMMAND_LINE, { action: "command.run", target });
};
