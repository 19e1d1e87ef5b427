// The line of visitors: who begins, waits, is refused, or goes away.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { eventually } from "../../../test/journeys/eventually.ts";
import { startSession } from "../../domain/people/users/session.ts";
import { parsePrivateKey } from "../../federation/signatures/keys.ts";
import { signRequest } from "../../federation/signatures/sign.ts";
import { VISITOR_LINE, createLine, visitorLineOf } from "./visitor-line.ts";

let t: TestApp;
let alice: Person;
let peer: FakePeer;
before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  peer = await startPeer();
});
after(async () => {
  await peer.close();
  await t.close();
});

test("so many begin at once, the others in order, and those beyond are refused", () => {
  const line = createLine({ atOnce: 2, waiting: 2, waitMs: 60_000 });
  const seen: string[] = [];
  const ends = ["a", "b", "c", "d", "e"].map((name) =>
    line.enter(
      () => seen.push(name),
      () => seen.push(`no ${name}`),
    ),
  );
  assert.deepEqual([seen, line.entries()], [["a", "b", "no e"], 2]);
  ends[0]!();
  ends[0]!();
  assert.deepEqual([seen.at(-1), line.entries()], ["c", 1]);
  // Who goes away while waiting is not begun.
  ends[3]!();
  ends[1]!();
  ends[2]!();
  ends[4]!();
  assert.deepEqual([seen.length, line.entries()], [4, 0]);
  line.enter(
    () => seen.push("f"),
    () => seen.push("no f"),
  );
  assert.equal(seen.at(-1), "f");
});

test("who waits too long is refused, and its place is free", async () => {
  const line = createLine({ atOnce: 1, waiting: 5, waitMs: 20 });
  const seen: string[] = [];
  const enter = (name: string) =>
    line.enter(
      () => seen.push(name),
      () => seen.push(`no ${name}`),
    );
  const end = enter("a");
  enter("b");
  await eventually("the refusal", () => seen.includes("no b"));
  enter("c");
  end();
  assert.deepEqual([seen, line.entries()], [["a", "no b", "c"], 0]);
});

const signedInCookie = async (): Promise<string> => {
  const [user] = await t.app.sql<{ id: string }[]>`
    SELECT id FROM users WHERE account_id = ${alice.accountId}
  `;
  const token = await startSession(t.app, user!.id, { ip: null, userAgent: null });
  return `${t.app.config.site.https ? "__Host-" : ""}rookery_session=${token}`;
};

/** A document, as a server asks for it whose actor is known here. */
const asPeer = async (peer: FakePeer, path: string) => {
  const { keyId, privateKeyPem } = peer.actor("remy");
  const url = `${t.url}${path}`;
  const accept = "application/activity+json";
  const key = parsePrivateKey(privateKeyPem);
  const { host: _host, ...signed } = signRequest({ method: "GET", url, keyId, privateKey: key });
  return t.visitor.get(path, { ...signed, accept });
};

test("a crowd of visitors is answered or refused, and who is signed in is not in the line", async () => {
  const line = visitorLineOf(t.app);
  const holders = Array.from({ length: VISITOR_LINE.atOnce }, () =>
    line.enter(
      () => undefined,
      () => undefined,
    ),
  );
  const own = await alice.get("/api/v1/timelines/home");
  assert.ok(own.status < 300);
  await t.visitor.get("/health").ok();
  const refused = await t.visitor.get("/api/v1/timelines/public");
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  // What anybody can send makes nobody somebody.
  const madeUp: Record<string, string>[] = [
    { cookie: "rookery_session=x" },
    { cookie: "__Host-rookery_session=x" },
    { signature: "x" },
    { signature: `keyId="https://far.example/k",signature="eA=="` },
    { authorization: "Bearer x" },
    { authorization: "Basic eDp4" },
  ];
  const paths = ["/api/v1/timelines/public", "/@alice", "/users/alice", "/api/v1/instance"];
  const answers = await Promise.all(
    madeUp.flatMap((headers) => paths.map((path) => t.visitor.get(path, headers))),
  );
  answers.push(await t.visitor.get("/api/v1/timelines/public?access_token=x"));
  for (const { status, text } of answers) assert.equal(status, 503, text.slice(0, 200));
  // A page of who is signed in, and what is no account's.
  await t.visitor.get("/@alice", { cookie: await signedInCookie() }).ok();
  assert.equal((await asPeer(peer, "/users/alice")).status, 200);
  const waits = t.visitor.get("/api/v1/timelines/public");
  await eventually("one in line", () => line.entries() === 1);
  for (const end of holders) end();
  assert.equal((await waits).status, 200);
  // Every place is free again, also after errors.
  const others = ["/api/v1/timelines/public", "/nowhere", "/api/v1/statuses/1", "/@alice", "/"];
  for (let round = 0; round < VISITOR_LINE.atOnce; round++) {
    const answers = await Promise.all(others.map((path) => t.visitor.get(path)));
    for (const { status } of answers) assert.notEqual(status, 503);
  }
  await sleep(0);
  assert.equal(line.entries(), 0);
});
