// What people and peers see while the database is away, the disk is full, or there is too much to do: an
// answer that says when to come again, and everything as before once it is over.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestApp } from "../harness.ts";
import type { Answer, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";
import { startServer } from "../journeys/server.ts";
import type { RealServer, Someone } from "../journeys/server.ts";
import { openStream } from "../stream-client.ts";
import type { StreamClient } from "../stream-client.ts";

/** The database's main process. */
const postmaster = ({ dataDir }: RealServer): number =>
  Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

const childrenOf = (pid: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === pid;
      } catch {
        return false;
      }
    });

const refusedForNow = ({ status, headers, json }: Answer): void => {
  assert.equal(status, 503);
  assert.ok(Number(headers.get("retry-after")) > 0);
  assert.match(json.error, /database.*try again/i);
};

describe("the database is away", () => {
  let server: RealServer;
  let alice: Someone;
  let stream: StreamClient;

  const post = (status: string) =>
    server.request("POST", "/api/v1/statuses", { token: alice.token, json: { status } });
  const health = () =>
    server.request("GET", "/health", { headers: { accept: "application/json" } });

  before(async () => {
    server = await startServer();
    alice = await server.person("alice");
    await alice.get("/api/v1/timelines/home");
    stream = await openStream(server.url, { query: { stream: "user", access_token: alice.token } });
  });
  after(async () => {
    stream.socket.terminate();
    await server.remove();
  });

  const isBack = async (text: string): Promise<void> => {
    await eventually("posting", async () => (await post(text)).status === 200);
    await eventually("the event", () =>
      stream.frames.some(({ event, payload }) => event === "update" && payload!.includes(text)),
    );
    assert.equal((await health()).json.status, "UP");
  };

  it("hanging: requests are answered with 503, streams stay, and everything goes on", async () => {
    const main = postmaster(server);
    const all = [main, ...childrenOf(main)];
    for (const pid of all) process.kill(pid, "SIGSTOP");
    try {
      refusedForNow(await post("while it hangs"));
      const { status, json } = await health();
      assert.deepEqual([status, json.status], [503, "DOWN"]);
      refusedForNow(await server.request("GET", "/api/v1/timelines/public"));
      const page = await server.request("GET", "/@alice", { headers: { accept: "text/html" } });
      assert.equal(page.status, 503);
      assert.match(page.text, /Temporarily unavailable/);
    } finally {
      for (const pid of all) process.kill(pid, "SIGCONT");
    }
    await isBack("after the hanging");
  });

  it("killed: it is started again, nothing is lost, streams stay", async () => {
    assert.equal((await post("before the kill")).status, 200);
    const died = postmaster(server);
    process.kill(died, "SIGKILL");
    await eventually("another one", async () => postmaster(server) !== died);
    await isBack("after the kill");
    const seen = await alice.get(`/api/v1/accounts/${alice.id}/statuses`);
    assert.ok(seen.some(({ content }: { content: string }) => content.includes("before the kill")));
  });
});

describe("the disk is full", () => {
  let server: TestApp;
  before(async () => {
    // More than any disk has left.
    server = await startTestApp({
      env: { DISK_RESERVE_MB: "1000000000", METRICS_TOKEN: "figures" },
    });
  });
  after(() => server.close());

  it("what would be written gets 507 and a sentence; reading and deleting go on", async () => {
    const alice = await server.person("alice");
    await eventually("a look at the disk", async () => server.app.pulse.fault() === "full");
    const answer = await alice.post("/api/v1/statuses", { status: "x" });
    assert.equal(answer.status, 507);
    assert.match(answer.json.error, /disk.*full/);
    const activity = await server.visitor.post("/inbox", { type: "Like" });
    assert.equal(activity.status, 507);
    for (const path of ["/api/v1/timelines/home", "/api/v1/accounts/verify_credentials"]) {
      assert.ok([200, 206].includes((await alice.get(path)).status), path);
    }
    const gone = await alice.delete("/api/v1/statuses/1");
    assert.equal(gone.status, 404);
    const health = await server.visitor.get("/health");
    assert.equal(health.status, 200);
    assert.match(health.text, /disk is full/);
    const metrics = await server.as("figures").get("/metrics");
    assert.match(metrics.text, /\nrookery_disk_full 1\n/);
    assert.match(metrics.text, /\nrookery_disk_free_bytes \d+\n/);
  });
});

describe("there is too much to do", () => {
  let server: TestApp;
  before(async () => {
    server = await startTestApp({ env: { DB_POOL: "2" } });
  });
  after(() => server.close());

  /** Keeps the database's connections busy while `work` runs. */
  const whileBusy = async (work: () => Promise<void>): Promise<void> => {
    let over = false;
    const occupy = async () => {
      // A transaction has its connection for itself.
      while (!over) await server.app.sql.begin((tx) => tx`SELECT pg_sleep(0.3)`);
    };
    const busy = Array.from({ length: 12 }, occupy);
    try {
      await work();
    } finally {
      over = true;
      await Promise.all(busy);
    }
  };

  const readPublic = () => server.visitor.get("/api/v1/timelines/public");

  it("visitors are refused, with the time to come again; probes answer; then all is as before", async () => {
    await readPublic().ok();
    await whileBusy(async () => {
      const refused = await eventually("a refusal", async () => {
        const answer = await readPublic();
        return answer.status === 503 ? answer : null;
      });
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      await server.visitor.get("/health").ok();
    });
    await eventually("quiet", async () => (await readPublic()).status === 200);
  });
});
