// PostgreSQL on two hosts: the primary is killed, its replica takes its place, and the server goes on by itself. What
// was acknowledged is there, as no commit was answered before the replica had it.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { runCommand } from "../command-line.ts";
import { freePort } from "../free-port.ts";
import { startReplicated } from "../replicated.ts";
import type { Replicated } from "../replicated.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { onlyOne } from "./layouts.ts";
import { makeFolder, removeFolder } from "./process.ts";
import { startServer } from "./server.ts";
import type { RealServer, Someone } from "./server.ts";

let databases: Replicated;
/** Of the replica, and of the primary. */
let hosts: Host[];
let server: RealServer;
let alice: Someone;
let bob: Someone;
const step = journey(() => [server]);

type Host = { port: number; /** Nobody reaches it any more. */ close(): void };

/** The built-in programs listen on sockets in a folder; a host has a port. */
const listenFor = async (url: string): Promise<Host> => {
  const path = `${decodeURIComponent(/@([^:/?]+)/.exec(url)![1]!)}/.s.PGSQL.5432`;
  const open = new Set<Socket>();
  const join = (from: Socket, to: Socket): void => {
    open.add(from);
    from.pipe(to);
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
  };
  const server = createServer((socket) => {
    const database = createConnection(path);
    join(socket, database);
    join(database, socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = (): void => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { port: (server.address() as AddressInfo).port, close };
};

/** Posts until the server has answered so many times; the ids. */
const postTimes = async (count: number, name: string): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await eventually("a post", async () => {
      const { status, json } = await server.request("POST", "/api/v1/statuses", {
        token: alice.token,
        json: { status: `${name} ${n}` },
        headers: { "idempotency-key": `${name}-${n}` },
      });
      return status === 200 ? json : null;
    });
    ids.push(id);
  }
  return ids;
};

const inHome = (ids: string[]) => async (): Promise<boolean> => {
  const home = await bob.get("/api/v1/timelines/home?limit=40");
  return ids.every((id) => home.some((status: { id: string }) => status.id === id));
};

describe("PostgreSQL on two hosts", { skip: onlyOne }, () => {
  before(async () => {
    databases = await startReplicated();
    hosts = await Promise.all([databases.replicaUrl, databases.url].map(listenFor));
    const url = `postgres://rookery@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(",")}/rookery`;
    server = await startServer({ first: true, env: { DATABASE_URL: url } });
    [alice, bob] = [await server.person("alice"), await server.person("bob")];
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
  });

  after(async () => {
    await server?.remove();
    for (const host of hosts ?? []) host.close();
    await databases?.close();
  });

  step(
    "the server finds the primary, whichever host is named first, for its jobs too",
    async () => {
      await eventually("the home", inHome(await postTimes(2, "first")));
      assert.equal(existsSync(join(server.dataDir, "postgres")), false, "none of its own");
    },
  );

  step("a second server on the same database is refused", async () => {
    const folder = makeFolder();
    const env = { ...server.env, PORT: String(await freePort()), DATA_DIR: folder };
    const { code, err } = await runCommand(env, ["start"]);
    assert.equal(code, 1);
    assert.match(err, /^rookery: Another Rookery process[^\n]+$/);
    removeFolder(folder);
  });

  step("the primary is killed, and the server goes on with its replica", async () => {
    await databases.synchronize();
    let isKilled = false;
    const posting = postTimes(12, "during").finally(() => (isKilled = true));
    const before = await postTimes(4, "before");
    databases.killPrimary();
    // The package starts it again: as a host that has come back and that nobody asks any more.
    hosts[1]!.close();
    await eventually("an answer that says so", async () => {
      const { status } = await server.request("GET", "/health");
      return status === 503 || isKilled;
    });
    await databases.promote();
    const ids = [...before, ...(await posting), ...(await postTimes(2, "after"))];
    for (const id of ids) assert.equal((await alice.get(`/api/v1/statuses/${id}`)).id, id);
    await eventually("the home", inHome(ids));
  });

  step("what others change is heard by the new primary", async () => {
    const { code, err } = await server.cli(["settings", "set", "title", "After the fall"]);
    assert.equal(code, 0, err);
    await eventually("the title", async () => {
      const { json } = await server.request("GET", "/api/v2/instance");
      return json.title === "After the fall";
    });
  });
});
