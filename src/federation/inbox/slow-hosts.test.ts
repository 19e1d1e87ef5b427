// Other servers that do not respond: what needs them waits, what does not is worked on at once.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { follow } from "../../domain/people/relationships/follow.ts";

type Json = Record<string, unknown>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const ACTORS = 40;
const EACH = 4;

let test: TestApp;
let peer: FakePeer;
let hanging: Server;
let alice: Person;
let bob: PeerActor;
let serial = 0;
/** How long our server waits for an answer. */
let timeoutMs = 10_000;
const open = new Set<Socket>();
let connections = 0;
let mostAtOnce = 0;

const accept = (socket: Socket): void => {
  open.add(socket);
  connections++;
  mostAtOnce = Math.max(mostAtOnce, open.size);
  socket
    .on("close", () => open.delete(socket))
    .on("error", () => undefined)
    .resume();
};

const deadHost = (): string => `http://127.0.0.9:${(hanging.address() as AddressInfo).port}`;

before(async () => {
  test = await startTestApp({ worker: true });
  const { request } = test.app.fetch;
  test.app.fetch.request = (url, options) => request(url, { ...options, timeoutMs });
  peer = await startPeer();
  // It takes connections and never answers.
  hanging = createServer(accept);
  await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.9", resolve));
  alice = await test.person("alice");
  bob = peer.actor("bob", 0);
  await send(bob, { type: "Follow", object: uriOf(alice) });
  await until(async () => (await accountId(bob)) !== undefined, 5000);
  const pair = { accountId: alice.accountId, targetId: (await accountId(bob))! };
  await follow(test.app, pair);
  await send(bob, {
    type: "Accept",
    object: { type: "Follow", actor: uriOf(alice), object: bob.uri },
  });
  await until(async () => (await follows(pair.accountId, pair.targetId)) === 1, 5000);
});

after(async () => {
  for (const socket of open) socket.destroy();
  hanging.close();
  await peer.close();
  await test.close();
});

const uriOf = (person: Person): string => `${test.url}/users/${person.username}`;

const send = async (actor: PeerActor, activity: Json): Promise<void> => {
  const id = `${actor.uri}#activities/${++serial}`;
  const { status, text } = await peer.post(`${test.url}/inbox`, actor, {
    id,
    actor: actor.uri,
    ...activity,
  });
  assert.equal(status, 202, text);
};

const until = async (isSo: () => Promise<boolean>, ms: number): Promise<number> => {
  const began = performance.now();
  while (!(await isSo())) {
    if (performance.now() - began > ms) throw new Error(`not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - began;
};

const accountId = async (actor: PeerActor): Promise<string | undefined> => {
  const [row] = await test.app.sql<
    { id: string }[]
  >`SELECT id FROM accounts WHERE uri = ${actor.uri}`;
  return row?.id;
};

const follows = async (accountId: string, targetId: string): Promise<number> =>
  (
    await test.app.sql`
      SELECT 1 FROM follows WHERE account_id = ${accountId} AND target_account_id = ${targetId}`
  ).length;

const isStored = async (uri: unknown): Promise<boolean> =>
  (await test.app.sql`SELECT 1 FROM statuses WHERE uri = ${String(uri)}`).length > 0;

const reply = (actor: PeerActor, n: number): Json => {
  const object = peer.note(actor, `/replies/${actor.name}/${n}`, {
    inReplyTo: `${deadHost()}/notes/${actor.name}-${n}`,
    tag: [{ type: "Mention", href: uriOf(alice) }],
    cc: [uriOf(alice)],
  });
  return { type: "Create", object, to: object["to"], cc: object["cc"] };
};

describe("many answers to posts on a host that never answers", () => {
  it("hold up neither an ordinary post nor a Follow, also of the same actors", async () => {
    const actors = Array.from({ length: ACTORS }, (_, n) => peer.actor(`crowd${n}`, n % 3));
    for (const actor of actors) await send(actor, reply(actor, 0));
    await Promise.all(
      actors.map(async (actor) => {
        for (let n = 1; n < EACH; n++) await send(actor, reply(actor, n));
      }),
    );
    const post = peer.note(bob, "/ordinary");
    await send(bob, { type: "Create", object: post, to: [PUBLIC], cc: [] });
    const ms = await until(() => isStored(post["id"]), 5000);
    assert.ok(ms < 2000, `an ordinary post took ${ms} ms`);

    const [someone] = actors;
    await send(someone!, { type: "Follow", object: uriOf(alice) });
    const id = (await accountId(someone!))!;
    const followMs = await until(async () => (await follows(id, alice.accountId)) === 1, 5000);
    assert.ok(followMs < 2000, `a Follow took ${followMs} ms`);
  });

  it("are few requests at once, and stored without their parents in the end", async () => {
    timeoutMs = 1000;
    const left = async (): Promise<number> =>
      (await test.app.sql`SELECT 1 FROM incoming_activities`).length;
    await until(async () => (await left()) === 0, 60_000);
    const [row] = await test.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM statuses WHERE uri LIKE ${`${peer.origin}/replies/%`}`;
    assert.equal(row!.count, ACTORS * EACH);
    assert.ok(mostAtOnce <= 4, `${mostAtOnce} connections at once`);
    // Two rounds, after which the host counts as down.
    assert.ok(connections <= 8, `${connections} connections`);
  });

  it("keep the order of one thread: an Update waits for its Create", async () => {
    const [actor] = [peer.actor("crowd0", 0)];
    const created = reply(actor, 100);
    const object = created["object"] as Json;
    const updated = new Date(Date.now() - 1000).toISOString();
    await send(actor, created);
    await send(actor, { type: "Update", object: { ...object, content: "<p>new</p>", updated } });
    await until(() => isStored(object["id"]), 60_000);
    await until(async () => {
      const [row] = await test.app.sql<{ content: string }[]>`
        SELECT content FROM statuses WHERE uri = ${String(object["id"])}`;
      return row!.content === "<p>new</p>";
    }, 10_000);
  });
});
