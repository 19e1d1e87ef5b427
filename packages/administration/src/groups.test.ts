// Groups in the hands of the staff: listed and passed on by commands, suspended and deleted as any account.

import assert from "node:assert/strict";
import { after, afterEach, before, mock, test } from "node:test";
import { enterCommandLine } from "../../../test/command-line.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { run } from "../../../src/cli/run.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let group: { id: string };
let leaveCommandLine: (() => void) | undefined;

before(async () => {
  t = await startTestApp();
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  group = await alice.post("/api/v1/groups", { name: "moss" }).done();
  leaveCommandLine = enterCommandLine(t);
});
after(async () => {
  leaveCommandLine?.();
  await t?.close();
});
afterEach(() => mock.restoreAll());

/** What a command prints, and its exit code. */
const rookery = async (...words: string[]) => {
  const lines: string[] = [];
  const print = (text: string) => lines.push(text);
  mock.method(console, "log", print);
  mock.method(console, "error", print);
  process.exitCode = 0;
  await run(["node", "rookery", ...words]);
  const code = Number(process.exitCode);
  process.exitCode = 0;
  mock.restoreAll();
  await t.runJobs();
  // Until the server has heard what the command invalidated.
  await t.fixture(async () => undefined);
  return { out: lines.join("\n"), code };
};

test("groups are listed with their owners", async () => {
  assert.match((await rookery("groups", "list")).out, /^moss\talice\t1 member\t0 posts$/);
  assert.deepEqual(JSON.parse((await rookery("groups", "list", "--json")).out), [
    { name: "moss", owner: "alice", moderators: [], members: 1, posts: 0 },
  ]);
});

test("empty lists say so, apart from what scripts read; what is missing or wrong is named", async () => {
  for (const group of ["reports", "spam-rules", "held-posts", "relays"]) {
    assert.deepEqual(await rookery(group, "list"), { out: "There are none.", code: 0 }, group);
    assert.equal((await rookery(group, "list", "--json")).out, "[]", group);
  }
  for (const [words, said] of [
    ["reports resolve 7", /There is no report 7\.$/],
    ["spam-rules enable 8", /There is no spam rule 8\.$/],
    ["held-posts discard 9 10", /There is no such held post\.$/],
    ["ip-blocks add nonsense --severity no_access", /: Enter an IP address or range, such as/],
    ["settings set registrations shut", /: Choose one of these: open, approved, closed\.$/],
  ] as const) {
    const { out, code } = await rookery(...words.split(" "));
    assert.match(out, said);
    assert.equal(code, 1);
  }
});

test("a group gets another owner, which is in the audit log; who owned it moderates it", async () => {
  assert.equal((await rookery("groups", "transfer", "moss", "bob")).out, "OK");
  const shown = await alice.get(`/api/v1/groups/${group.id}`).done();
  assert.equal(shown.owner.id, bob.accountId);
  assert.equal(shown.role, "moderator");
  const [act] = await alice.get(`/api/v1/groups/${group.id}/acts`).done();
  assert.deepEqual([act.action, act.account, act.target.id], ["transfer", null, bob.accountId]);
  assert.match((await rookery("audit", "list")).out, /group\.transfer\t@moss/);
  for (const [name, to] of [
    ["moss", "moss"],
    ["moss", "nobody"],
    ["alice", "bob"],
  ]) {
    assert.notEqual((await rookery("groups", "transfer", name!, to!)).code, 0, `${name} ${to}`);
  }
});

test("a group whose owner is deleted goes on with nobody, and with its moderators", async () => {
  await rookery("accounts", "delete", "bob");
  const shown = await alice.get(`/api/v1/groups/${group.id}`).done();
  assert.deepEqual([shown.owner, shown.role], [null, "moderator"]);
  assert.match((await rookery("groups", "list")).out, /^moss\t\(nobody\)/);
});

test("a group is suspended, comes back, and is deleted as an account is", async () => {
  const status = async () => (await alice.get(`/api/v1/groups/${group.id}`)).status;
  assert.equal((await rookery("accounts", "suspend", "moss")).out, "OK");
  assert.equal(await status(), 404);
  assert.equal((await rookery("accounts", "unsuspend", "moss")).code, 0);
  assert.equal(await status(), 200);
  assert.equal((await rookery("accounts", "delete", "moss")).code, 0);
  assert.equal(await status(), 404);
  assert.equal((await rookery("groups", "list")).out, "There are none.");
});
