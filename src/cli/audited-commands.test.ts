// Every command leaves a trace in the audit log, or is known to change nothing.

import assert from "node:assert/strict";
import { after, afterEach, before, mock, test } from "node:test";
import type { Command } from "commander";
import { enterCommandLine } from "../../test/command-line.ts";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { program, run } from "./run.ts";
import { READS, AUDITED_AS, pathOf } from "./audited-commands.ts";

const leaves = (command: Command): string[] =>
  command.commands.length === 0 ? [pathOf(command)] : command.commands.flatMap(leaves);

test("each command is known by what it leaves", () => {
  const known = [...READS, ...Object.keys(AUDITED_AS)];
  assert.deepEqual(leaves(program()).toSorted(), known.toSorted());
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
