// kill -9 during a burst of posts: every post that was answered is stored and gets delivered; a post that
// was not answered can be sent again and is then stored once.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer } from "../fake-peer.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { startServer } from "./server.ts";
import type { RealServer, Someone } from "./server.ts";

const POSTS = 250;
const AT_ONCE = 16;
const KILLED_AFTER = 100;

let server: RealServer;
let peer: FakePeer;
let people: Someone[];
const step = journey(() => [server]);
/** URIs of the posts that were answered, by the number in their text. */
const answered = new Map<number, string>();

before(async () => {
  [server, peer] = await Promise.all([startServer(), startPeer()]);
  people = await Promise.all(["alice", "bob"].map((name) => server.person(name)));
});

after(async () => {
  await server?.remove();
  await peer?.close();
});

const authorOf = (number: number): Someone => people[number % people.length]!;

/** No answer, or a part of one. */
const isCutOff = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  /^(?:ECONN|EPIPE|UND_ERR)/.test(String((error as { code?: unknown }).code));

/** Sends one post; false when the server died during it. */
const send = async (number: number): Promise<boolean> => {
  try {
    const answer = await server.request("POST", "/api/v1/statuses", {
      token: authorOf(number).token,
      json: { status: `post ${number}` },
      headers: { "idempotency-key": `burst-${number}` },
    });
    // A proxy in front of several processes says so when all of them have died.
    if (answer.status === 502) return false;
    assert.equal(answer.status, 200, answer.text);
    answered.set(number, answer.json.uri);
    return true;
  } catch (error) {
    if (isCutOff(error)) return false;
    throw error;
  }
};

/** Sends these posts, several at once, until all are sent or the server has died. */
const burst = async (numbers: number[], onAnswer: () => void = () => {}): Promise<void> => {
  const left = [...numbers];
  const work = async () => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) {
      if (!(await send(number))) return;
      onAnswer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
};

/** All stored posts of a person, as number → URIs. */
const stored = async (who: Someone): Promise<Map<number, string[]>> => {
  const byStatus = new Map<number, string[]>();
  let page: any[] = await who.get(`/api/v1/accounts/${who.id}/statuses?limit=40`);
  while (page.length > 0) {
    for (const { content, uri } of page) {
      const number = Number(/post (\d+)/.exec(content)![1]);
      byStatus.set(number, [...(byStatus.get(number) ?? []), uri]);
    }
    const { id } = page.at(-1);
    page = await who.get(`/api/v1/accounts/${who.id}/statuses?limit=40&max_id=${id}`);
  }
  return byStatus;
};

const allStored = async () =>
  new Map((await Promise.all(people.map(stored))).flatMap((m) => [...m]));

const delivered = (): Set<string> =>
  new Set(
    peer
      .inbox()
      .filter((activity) => activity["type"] === "Create")
      .map((activity) => (activity["object"] as { id: string }).id),
  );

describe("kill -9 during a burst of posts", () => {
  step("with a remote follower", async () => {
    const follower = peer.actor("s1");
    for (const who of people) {
      const object = `${server.url}/users/${who.name}`;
      const id = `${peer.origin}/follows/${who.name}`;
      const follow = { id, type: "Follow", actor: follower.uri, object };
      const { status, text } = await peer.post(`${object}/inbox`, follower, follow);
      assert.equal(status, 202, text);
      await eventually("the Accept", () =>
        peer
          .inbox()
          .some((activity) => activity["type"] === "Accept" && activity["actor"] === object),
      );
    }
  });

  step("what was answered is there after the next start", async (context) => {
    const numbers = Array.from({ length: POSTS }, (_, index) => index);
    let killed: Promise<void> | null = null;
    await burst(numbers, () => {
      if (answered.size >= KILLED_AFTER) killed ??= server.kill();
    });
    await killed;
    assert.ok(answered.size >= KILLED_AFTER && answered.size < POSTS, String(answered.size));
    context.diagnostic(`${answered.size} posts answered, ${delivered().size} delivered by then`);
    await server.start();
    const there = await allStored();
    for (const [number, uri] of answered) assert.deepEqual(there.get(number), [uri]);
  });

  step("what was not answered is sent again, and is there once", async () => {
    const numbers = Array.from({ length: POSTS }, (_, index) => index);
    await burst(numbers.filter((number) => !answered.has(number)));
    assert.equal(answered.size, POSTS);
    const there = await allStored();
    const twice = [...there].filter(([, uris]) => uris.length > 1);
    assert.deepEqual(twice, []);
    assert.equal(there.size, POSTS);
  });

  step("every one is delivered", async () => {
    const missing = () => {
      const there = delivered();
      return [...answered.values()].filter((uri) => !there.has(uri));
    };
    await eventually("all deliveries", () => missing().length === 0, 90_000);
    assert.equal(delivered().size, POSTS);
  });
});
