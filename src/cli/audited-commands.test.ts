// Every command leaves a trace in the audit log, or is known to change nothing.

import assert from "node:assert/strict";
import { after, afterEach, before, mock, test } from "node:test";
import type { Command } from "commander";
import { enterCommandLine } from "../../test/command-line.ts";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { program, run } from "./run.ts";
import type { AuditAction } from "../domain/base/audit/actions.ts";
import { RUNS, pathOf } from "./audited-commands.ts";

/** Those that record nothing only read, or work before there is a server. */
const READS: ReadonlySet<string> = new Set([
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
  "sso list",
  "sso try",
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

/** What the others record: the command of the domain that they call, or only that they ran. */
const AUDITED_AS: Readonly<Record<string, AuditAction>> = {
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
  "sso add": "sso.create",
  "sso scim-token": "sso.make_token",
  "sso remove": "sso.remove",
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

const leaves = (command: Command): string[] =>
  command.commands.length === 0 ? [pathOf(command)] : command.commands.flatMap(leaves);

test("each command is known by what it leaves", async () => {
  const known = [...READS, ...Object.keys(AUDITED_AS)];
  assert.deepEqual(leaves(await program()).toSorted(), known.toSorted());
});

let server: TestApp;
let leaveCommandLine: () => void;

before(async () => {
  server = await startTestApp();
  await server.person("alice");
  await server.person("bob");
  leaveCommandLine = enterCommandLine(server);
});
after(async () => {
  leaveCommandLine();
  await server.close();
});
afterEach(() => mock.restoreAll());

const rookery = async (line: string): Promise<void> => {
  mock.method(console, "log", () => undefined);
  const said: unknown[] = [];
  mock.method(console, "error", (text: unknown) => said.push(text));
  await run(["node", "rookery", ...line.split(" ")]);
  mock.restoreAll();
  assert.notEqual(process.exitCode, 1, `${line}: ${String(said)}`);
  await server.runJobs();
  await server.fixture(async () => undefined);
};

/** In this order; what is not here needs another server, a file, or something that waits for a decision. */
const LINES = [
  "accounts create carol --email carol@example.com --confirmed",
  "accounts modify carol --reset-password",
  "accounts suspend bob --no-mail",
  "accounts unsuspend bob",
  "accounts silence bob --no-mail",
  "accounts unsilence bob",
  "accounts sensitive bob --no-mail",
  "accounts unsensitive bob",
  "accounts disable bob --no-mail",
  "accounts enable bob",
  "accounts warn bob --no-mail",
  "accounts rotate bob",
  "accounts follow alice",
  "accounts unfollow alice",
  "accounts backup alice",
  "tokens create alice --scopes read",
  "settings set title Here",
  "settings registrations close",
  "roles create Helper --permissions manage_reports",
  "roles modify Helper --position 2",
  "roles remove Helper",
  "domain-blocks add bad.example",
  "domain-blocks remove bad.example",
  "domain-lists exceptions add good.example",
  "email-domain-blocks add mail.example",
  "email-domain-blocks remove mail.example",
  "canonical-email-blocks add eve@example.com",
  "canonical-email-blocks remove eve@example.com",
  "ip-blocks add 192.0.2.0/24 --severity no_access",
  "ip-blocks remove 192.0.2.0/24",
  "rules add Kindly",
  "announcements create Hello",
  "preview-cards remove",
  "feeds clear --all",
  "cache clear",
  "accounts delete carol",
];

test("commands are in the audit log when they have run", async () => {
  const recorded = async () =>
    (await server.app.sql`SELECT action FROM audit_log ORDER BY id`).map(({ action }) => action);
  for (const line of LINES) {
    const earlier = (await recorded()).length;
    await rookery(line);
    const path = line.split(" ").slice(0, 2).join(" ");
    assert.ok((await recorded()).slice(earlier).includes(AUDITED_AS[path]), line);
  }
});
