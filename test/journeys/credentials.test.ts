// An administrator resets a password by the command line while the server runs.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../browser.ts";
import { eventually } from "./eventually.ts";
import { startServer } from "./server.ts";
import type { RealServer, Someone } from "./server.ts";

let server: RealServer;
let alice: Someone;

before(async () => {
  server = await startServer();
  alice = await server.person("alice");
});
after(() => server.remove());

test("a new password ends the person's sessions and tokens at once", async () => {
  const browser = openBrowser(server);
  await browser.signIn("alice", alice.password);
  assert.equal((await browser.get("/settings")).status, 200);
  await alice.get("/api/v1/accounts/verify_credentials");

  const result = await server.cli(["accounts", "modify", "alice", "--reset-password"]);
  assert.equal(result.code, 0, result.err);
  const [, password] = /New password: (\S+)/.exec(result.out)!;

  assert.equal((await browser.get("/settings")).status, 302);
  // The database notifies the server.
  await eventually("the refusal of the token", async () => {
    const { token } = alice;
    const answer = await server.request("GET", "/api/v1/preferences", { token });
    return answer.status === 401;
  });
  assert.equal((await browser.signIn("alice", alice.password)).status, 422);
  assert.equal((await browser.signIn("alice", password)).status, 302);
});

test("an unknown name gives one sentence and exit code 1", async () => {
  const result = await server.cli(["accounts", "modify", "nobody", "--disable-2fa"]);
  assert.equal(result.code, 1);
  assert.match(result.err, /^rookery: There is no account nobody/);
});
