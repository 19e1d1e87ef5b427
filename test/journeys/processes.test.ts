// A server of five processes, of which each is killed in turn: what was accepted is there once, and the rest goes on.
// Valkey is lost and comes back empty, PostgreSQL is restarted.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "../../src/platform/db/index.ts";
import { openBrowser } from "../browser.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { sendRequest } from "../person.ts";
import type { Answer } from "../harness.ts";
import { withoutRedis } from "../redis-server.ts";
import { openStream } from "../stream-client.ts";
import type { StreamClient } from "../stream-client.ts";
import { startCluster } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { isSplit, onlySplit } from "./layouts.ts";
import type { Someone } from "./server.ts";

const AT_ONCE = 3;
/** Load enough, and little work for the machine. */
const PAUSE_MS = 400;
/** Each is killed and started again; otherwise one of each kind, and the other goes on alone. */
const KILLED = isSplit ? ["worker1", "web1", "worker2", "streaming1", "web2"] : ["worker1", "web1"];
/** Before and after each. */
const TRAFFIC_MS = 1000;
/** What one process does is taken over in 15 s. */
const TAKEN_OVER_MS = 90_000;

let server: Cluster;
let peer: FakePeer;
let alice: Someone;
let bob: Someone;
let carol: Someone;
let stream: StreamClient;
let posts = 0;
let notes = 0;
const step = journey(() => [server]);

/** The answer of one of the processes. */
const ask = (part: string, who: Someone, method: string, path: string, json?: unknown) =>
  sendRequest(`${server.part(part).url}${path}`, method, { token: who.token, json });

const jsonOf = async (answer: Promise<Answer>): Promise<any> => {
  const { status, json, text } = await answer;
  assert.equal(status, 200, text);
  return json;
};

/** Sends until it is accepted, as clients and peers do. */
const accepted = async (
  send: () => Promise<{ status: number }>,
  expected: number,
): Promise<void> => {
  await eventually("an answer", async () => {
    const { status } = await send().catch(() => ({ status: 0 }));
    return status === expected;
  });
};

/** Does it for 0, 1 … until `isOver`, some at the same time; returns how many they were. */
const keepOn = async (isOver: () => boolean, work: (number: number) => Promise<void>) => {
  let count = 0;
  const stopPart = async () => {
    while (!isOver()) {
      await work(count++);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, stopPart));
  return count;
};

const pages = async (who: Someone, path: string): Promise<any[]> => {
  const items: any[] = [];
  for (let before = ""; ;) {
    const page: any[] = await who.get(`${path}limit=40${before}`);
    if (page.length === 0) return items;
    items.push(...page);
    before = `&max_id=${page.at(-1).id}`;
  }
};

const listen = (): Promise<StreamClient> =>
  openStream(server.url, { query: { stream: "user", access_token: bob.token } });

/** Whether a post has come through the stream. */
const streamed = (id: string): boolean =>
  stream.frames.some(({ event, payload }) => event === "update" && JSON.parse(payload!).id === id);

describe("a server of several processes", { skip: withoutRedis || onlySplit }, () => {
  before(async () => {
    [server, peer] = await Promise.all([startCluster(), startPeer()]);
    [alice, bob] = [await server.person("alice"), await server.person("bob")];
    carol = await server.person("carol");
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  });

  after(async () => {
    stream?.socket.terminate();
    await server?.remove();
    await peer?.close();
  });

  step("who writes by one process reads it by the other at once", async () => {
    for (let n = 0; n < 8; n++) {
      const [first, other] = n % 2 === 0 ? ["web1", "web2"] : ["web2", "web1"];
      const { id } = await jsonOf(
        ask(first, alice, "POST", "/api/v1/statuses", { status: `${n}` }),
      );
      const read = () => jsonOf(ask(other, alice, "GET", `/api/v1/statuses/${id}`));
      assert.equal((await read()).favourited, false);
      await jsonOf(ask(first, alice, "POST", `/api/v1/statuses/${id}/favourite`));
      const { favourited, favourites_count: count } = await read();
      assert.deepEqual([favourited, count], [true, 1]);
      await jsonOf(ask(first, alice, "PUT", `/api/v1/statuses/${id}`, { status: `${n} changed` }));
      assert.equal((await read()).content, `<p>${n} changed</p>`);
      await jsonOf(ask(first, alice, "DELETE", `/api/v1/statuses/${id}`));
      assert.equal((await ask(other, alice, "GET", `/api/v1/statuses/${id}`)).status, 404);
    }
  });

  step("a post by one process comes into the home and the stream of the others", async () => {
    stream = await listen();
    const { id } = await jsonOf(ask("web1", alice, "POST", "/api/v1/statuses", { status: "live" }));
    await eventually("the event", () => streamed(id));
    await eventually("the home", async () =>
      (await jsonOf(ask("web2", bob, "GET", "/api/v1/timelines/home"))).some(
        (status: any) => status.id === id,
      ),
    );
  });

  step(
    "they have as many connections to PostgreSQL as docs/SCALING.md says, below its limit for twenty",
    async () => {
      // All that a pool may have is open once so many ask at once, and stays open.
      const requests = Array.from({ length: 40 }, (_, n) =>
        ask(`web${1 + (n % 2)}`, alice, "POST", "/api/v1/statuses", { status: `at once ${n}` }),
      );
      for (const { status } of await Promise.all(requests)) assert.equal(status, 200);
      const sql = connect(server.database.url, { max: 1, application: "journey" });
      try {
        const rows = await sql<{ kind: string; count: number }[]>`
        SELECT CASE WHEN application_name = 'rookery session' THEN 'sessions' ELSE 'others' END AS kind,
          count(*)::int AS count
        FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> 'journey'
          AND backend_type = 'client backend'
        GROUP BY 1`;
        const { sessions, others } = Object.fromEntries(
          rows.map(({ kind, count }) => [kind, count]),
        );
        assert.equal(sessions, 5, "one that listens and holds the lock for each process");
        const [pool, queue] = [3, 2];
        assert.ok(others! <= 5 * pool + 2 * queue, `${others} connections`);
        const [processes, workers] = [20, 8];
        assert.ok(processes * (pool + 1) + workers * queue < 100);
      } finally {
        await sql.end();
      }
    },
  );

  step("a password that the command line resets ends tokens and sessions in each", async () => {
    const browser = openBrowser(server);
    await browser.signIn("carol", carol.password);
    const webs = ["web1", "web2"];
    const prove = "/api/v1/accounts/verify_credentials";
    for (const web of webs) await jsonOf(ask(web, carol, "GET", prove));
    const reset = await server.cli(["accounts", "modify", "carol", "--reset-password"]);
    assert.equal(reset.code, 0, reset.err);
    const [, password] = /New password: (\S+)/.exec(reset.out)!;
    assert.equal((await browser.get("/settings")).status, 302);
    // The database notifies them.
    await eventually("the refusal of the token", async () => {
      const answers = await Promise.all(webs.map((web) => ask(web, carol, "GET", prove)));
      return answers.every(({ status }) => status === 401);
    });
    assert.equal((await browser.signIn("carol", carol.password)).status, 422);
    assert.equal((await browser.signIn("carol", password)).status, 302);
  });

  step("each process says how it is, and no other refuses it", async () => {
    for (const { url } of server.parts) {
      for (const probe of ["livez", "readyz", "health"]) {
        assert.equal((await fetch(`${url}/${probe}`)).status, 200);
      }
    }
    const worker = server.part("worker1").url;
    assert.equal((await fetch(`${worker}/api/v1/timelines/public`)).status, 404);
  });

  step(
    "the processes are killed in turn while posts and activities come and go",
    async (context) => {
      const actors: PeerActor[] = ["s1", "s2", "s3"].map((name) => peer.actor(name));
      const object = `${server.url}/users/alice`;
      for (const [n, actor] of actors.entries()) {
        const follow = { id: `${peer.origin}/f/${n}`, type: "Follow", actor: actor.uri, object };
        await accepted(() => peer.post(`${object}/inbox`, actor, follow), 202);
      }
      await eventually("the Accepts", () => peer.inbox().length >= actors.length);
      let isOver = false;
      const killing = async (): Promise<void> => {
        for (const name of KILLED) {
          await sleep(TRAFFIC_MS);
          await server.part(name).kill();
          if (isSplit) await server.part(name).start();
        }
        await sleep(TRAFFIC_MS);
      };
      const send = (number: number) =>
        server.request("POST", "/api/v1/statuses", {
          token: alice.token,
          json: { status: `post ${number}` },
          headers: { "idempotency-key": `post-${number}` },
        });
      const posting = keepOn(
        () => isOver,
        (number) => accepted(() => send(number), 200),
      );
      const receiving = keepOn(
        () => isOver,
        async (number) => {
          const actor = actors[number % actors.length]!;
          const note = peer.note(actor, `/notes/${number}`, {
            content: `<p>@alice first ${number}</p>`,
            cc: [object],
            tag: [{ type: "Mention", href: object, name: "@alice" }],
          });
          const wrap = (type: string, inner: object) => ({
            id: `${peer.origin}/${type}/${number}`,
            type,
            actor: actor.uri,
            to: note["to"],
            cc: [object],
            object: inner,
          });
          const changed = {
            ...note,
            content: `<p>@alice last ${number}</p>`,
            updated: new Date(Date.now() + 60_000).toISOString(),
          };
          await accepted(() => peer.post(`${object}/inbox`, actor, wrap("Create", note)), 202);
          await accepted(() => peer.post(`${object}/inbox`, actor, wrap("Update", changed)), 202);
        },
      );
      await killing().finally(() => (isOver = true));
      [posts, notes] = await Promise.all([posting, receiving]);
      context.diagnostic(`${posts} posts were accepted, and ${notes} notes with a change of each`);
    },
  );

  step("every post is stored, in the home and delivered, once", async (context) => {
    const own = await pages(alice, `/api/v1/accounts/${alice.id}/statuses?`);
    const stored = own.filter(({ content }) => content.includes("post "));
    assert.equal(stored.length, posts);
    assert.equal(new Set(stored.map(({ content }) => content)).size, posts);
    const creates = () => peer.inbox().filter((activity) => activity["type"] === "Create");
    const uris = () =>
      new Set(creates().map((activity) => (activity["object"] as { id: string }).id));
    await eventually(
      "all deliveries",
      () => stored.every(({ uri }) => uris().has(uri)),
      TAKEN_OVER_MS,
    );
    context.diagnostic(`${creates().length - uris().size} deliveries came twice, by the same id`);
    await eventually(
      "all in the home",
      async () => {
        const home = (await pages(bob, "/api/v1/timelines/home?")).map(({ id }) => id);
        assert.equal(new Set(home).size, home.length);
        return stored.every(({ id }) => home.includes(id));
      },
      TAKEN_OVER_MS,
    );
  });

  step("every activity was worked on once, in the order of its actor", async () => {
    await eventually(
      "all notes",
      async () => {
        const mentions = await pages(alice, "/api/v1/notifications?types[]=mention&");
        const texts = mentions.map(({ status }) => status.content.replaceAll(/<[^>]*>/g, ""));
        assert.equal(new Set(mentions.map(({ status }) => status.id)).size, mentions.length);
        assert.deepEqual(
          texts.filter((text) => !text.includes("last")),
          [],
        );
        return mentions.length === notes;
      },
      TAKEN_OVER_MS,
    );
  });

  step(
    "without Valkey posting and reading go on, and open streams go on when it comes back empty",
    async () => {
      stream.socket.terminate();
      stream = await listen();
      await server.redis.kill();
      const began = performance.now();
      const { id } = await alice.post("/api/v1/statuses", { status: "without" });
      for (const part of isSplit ? ["web1", "web2"] : ["web2"]) {
        const status = await jsonOf(ask(part, bob, "GET", `/api/v1/statuses/${id}`));
        assert.equal(status.content, "<p>without</p>");
        const home = await jsonOf(ask(part, bob, "GET", "/api/v1/timelines/home"));
        assert.ok(home.length > 0);
      }
      assert.ok(performance.now() - began < 15_000);
      assert.equal(stream.closeCode, null);
      await server.redis.start();
      await eventually("an event", async () => {
        const next = await alice.post("/api/v1/statuses", { status: "back" });
        await sleep(500);
        return streamed(next.id);
      });
      assert.equal(stream.closeCode, null, "the socket was open all the time");
      await eventually("the home", async () =>
        (await bob.get("/api/v1/timelines/home?limit=40")).some((status: any) => status.id === id),
      );
    },
  );

  step("a restart of PostgreSQL is survived", async () => {
    process.kill(server.database.pid, "SIGKILL");
    await eventually("a post", () =>
      alice.post("/api/v1/statuses", { status: "after" }).catch(() => null),
    );
    await eventually("the home", async () =>
      (await bob.get("/api/v1/timelines/home")).some(
        (status: any) => status.content === "<p>after</p>",
      ),
    );
  });

  step("SIGTERM ends each of them in order", async () => {
    assert.deepEqual(await server.stop(), { code: 0, signal: null });
  });
});
