// Every act that the audit log knows. An act without a sentence in the catalogue (`audit.ACT`) does not compile.

import type { Key } from "../../../platform/text/texts.ts";

/** The act that a key of the catalogue describes: `rule.create` for `audit.rule.create`. */
type Named<Message extends string> =
  Message extends `audit.${"actor" | "detail" | "kind"}.${string}`
    ? never
    : Message extends `audit.${infer Kind}.${infer Verb}`
      ? `${Kind}.${Verb}`
      : never;

export type AuditAction = Named<Key>;

type DetailIn<Message extends string> = Message extends `audit.detail.${infer Name}` ? Name : never;

/** What an entry says beyond the act; a detail without words in the catalogue does not compile. */
export type AuditDetails = Partial<Record<DetailIn<Key> | Unshown, unknown>>;

/** Details that are not shown: the line names who acted, and the target and the decision say what the ids mean. */
export const UNSHOWN = ["by", "report_id", "strike"] as const;
type Unshown = (typeof UNSHOWN)[number];

export const ACTIONS = [
  "account.approve",
  "account.archive",
  "account.change_email",
  "account.change_role",
  "account.confirm",
  "account.create",
  "account.delete",
  "account.delete_statuses",
  "account.disable",
  "account.disable_2fa",
  "account.enable",
  "account.end_sessions",
  "account.follow_by_all",
  "account.mark_statuses_as_sensitive",
  "account.reject",
  "account.remark",
  "account.remark_removed",
  "account.resend_confirmation",
  "account.reset_password",
  "account.rotate_keys",
  "account.sensitive",
  "account.silence",
  "account.suspend",
  "account.unfollow_by_all",
  "account.unsensitive",
  "account.unsilence",
  "account.unsuspend",
  "account.warn",
  "announcement.create",
  "announcement.delete",
  "announcement.update",
  "appeal.approve",
  "appeal.reject",
  "canonical_email_block.create",
  "canonical_email_block.delete",
  "command.run",
  "domain.purge",
  "domain.purge_media",
  "domain.resume_deliveries",
  "domain.retry_deliveries",
  "domain.stop_deliveries",
  "domain_allow.create",
  "domain_allow.delete",
  "domain_block.create",
  "domain_block.delete",
  "domain_block.update",
  "domain_list.create",
  "domain_list.delete",
  "domain_list.except",
  "domain_list.unexcept",
  "domain_list.sync",
  "domain_list.update",
  "email_domain_block.create",
  "email_domain_block.delete",
  "emoji.create",
  "emoji.delete",
  "emoji.import",
  "emoji.update",
  "group.transfer",
  "held_post.approve",
  "held_post.discard",
  "invite.end",
  "ip_block.create",
  "ip_block.delete",
  "ip_block.update",
  "preset.create",
  "preset.delete",
  "relay.add",
  "relay.remove",
  "report.assign",
  "report.delete_statuses",
  "report.mark_statuses_as_sensitive",
  "report.reopen",
  "report.resolve",
  "report.unassign",
  "report.update",
  "role.create",
  "role.delete",
  "role.update",
  "rule.create",
  "rule.delete",
  "rule.move",
  "rule.translate",
  "rule.update",
  "server.back_up",
  "server.examine",
  "server.forget_domain",
  "server.move_domain",
  "server.self_destruct",
  "setting.update",
  "spam_rule.create",
  "spam_rule.delete",
  "spam_rule.disable",
  "spam_rule.dry_run",
  "spam_rule.enable",
  "spam_rule.undo",
  "spam_rule.update",
  "tag.update",
  "terms.publish",
  "token.create",
  "trend.approve",
  "trend.reject",
  "webhook.create",
  "webhook.delete",
  "webhook.disable",
  "webhook.enable",
  "webhook.secret",
  "webhook.update",
] as const satisfies AuditAction[];

/** Verb of an act: `create` of `rule.create`. */
export type VerbOf<
  Kind extends string,
  Action = AuditAction,
> = Action extends `${Kind}.${infer Verb}` ? Verb : never;

type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

/** Lists the kinds of things that acts are about, such as `account`. */
export const KINDS = [
  ...new Set(ACTIONS.map((action) => action.split(".")[0] as KindOf<AuditAction>)),
];
