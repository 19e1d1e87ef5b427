// Starting, stopping, killing and restarting real processes of `rookery`.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openBrowser } from "../browser.ts";
import { runCommand } from "../command-line.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { isSplit, onlyOne } from "./layouts.ts";
import { makeFolder, pidAlive, removeFolder } from "./process.ts";
import { freePort } from "../free-port.ts";
import { makeDataFolder, rookery, startServer } from "./server.ts";
import type { CliResult, RealServer, Someone } from "./server.ts";

/** One sentence on standard error, exit code 1, and no stack trace. */
const assertRefused = (result: { code: number | null; err: string }, words: RegExp): void => {
  assert.equal(result.code, 1, result.err);
  const lines = result.err.trim().split("\n");
  assert.equal(lines.length, 1, result.err);
  assert.match(lines[0]!, /^rookery: .+/);
  assert.match(lines[0]!, words);
};

/** A command as its own process, as people type it. */
const typed = (args: string[], input?: string): Promise<CliResult> =>
  rookery(args, { cwd: server.dataDir, env: server.env, ...(input !== undefined && { input }) });

/** What `start` says in this process, for starts that are refused after the server's code is loaded. */
const startRefused = async (env: Record<string, string>, words: RegExp): Promise<void> =>
  assertRefused(await runCommand(env, ["start"]), words);

/** The process id of a data folder's PostgreSQL. */
const databasePid = (server: RealServer): number =>
  Number(readFileSync(join(server.dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

const isGone = (pid: number) =>
  eventually(`the end of process ${pid}`, () => {
    const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return !pidAlive(pid) || /\) [ZX] /.test(state);
  });

let server: RealServer;
let alice: Someone;
const step = journey(() => [server]);

before(async () => {
  server = await startServer({ first: true });
});

after(() => server?.remove());

describe("a server of one's own", () => {
  let setupPath = "";

  step("prints its address and the one-time link for the owner", async (context) => {
    context.diagnostic(`first start after ${server.startTimes[0]} ms`);
    const printed = await eventually("the link", () => /\/setup\?token=\S+/.exec(server.printed()));
    setupPath = printed[0];
    const links = server.printed().match(/\/setup\?token=\S+/g);
    assert.equal(new Set(links).size, 1, "every process prints the same link");
    assert.ok(server.printed().includes(`is running at ${server.url} (`), server.printed());
  });

  step("the link creates the owner, once", async () => {
    const browser = openBrowser(server);
    const page = await browser.get(setupPath);
    assert.equal(page.status, 200);
    const form = { username: "olga", email: "olga@example.com", password: "a good long one" };
    const answer = await browser.submit(page, "/setup", form);
    assert.equal(answer.status, 302, answer.text);
    const olga = await server.request("GET", "/api/v1/accounts/lookup?acct=olga");
    assert.equal(olga.json.username, "olga");
    assert.equal((await openBrowser(server).get(setupPath)).status, 403);
    const intruder = { ...form, username: "mallory", email: "mallory@example.com" };
    assert.equal((await openBrowser(server).submit(page, "/setup", intruder)).status, 403);
    const token = (await server.cli(["tokens", "create", "olga"])).out.split("\n").at(-1)!;
    const me = await server.request("GET", "/api/v1/accounts/verify_credentials", { token });
    assert.equal(me.json.role.name, "Owner");
  });

  step("secrets are files that only the owner of the process may read", async () => {
    const folder = join(server.dataDir, "secrets");
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    assert.ok(modes.length >= 2);
    assert.deepEqual(new Set(modes), new Set([0o600]));
  });

  step("the command line works beside it", async () => {
    alice = await server.person("alice");
    assert.equal((await alice.post("/api/v1/statuses", { status: "hello" })).account.id, alice.id);
    const options = ["--email", "dora@example.com", "--confirmed", "--scopes", "read write"];
    const result = await typed(["accounts", "create", "dora", ...options]);
    assert.match(result.out, /New password: \S+/);
    const token = result.out.trim().split("\n").at(-1)!;
    const json = { status: "hello" };
    assert.equal((await server.request("POST", "/api/v1/statuses", { token, json })).status, 200);
    assert.equal((await server.cli(["settings", "registrations", "open"])).code, 0);
    // The server is notified of the commit, a moment after the command has ended.
    await eventually("open sign-ups", async () => {
      const instance = await server.request("GET", "/api/v2/instance");
      return instance.json.registrations.enabled === true;
    });
    assert.match((await server.cli(["migrate"])).out, /up to date/);
  });

  step("and refuses in one sentence what it cannot do", async () => {
    const twice = ["accounts", "create", "alice", "--email", "other@example.com"];
    assertRefused(await typed(twice), /taken/i);
    assertRefused(await server.cli(["tokens", "create", "nobody"]), /nobody/);
    const options = ["--email", "erin@example.com", "--scopes", "all"];
    assertRefused(await server.cli(["accounts", "create", "erin", ...options]), /scope/);
    assertRefused(await server.cli(["settings", "registrations", "maybe"]), /open/);
  });

  step.ofOne("a second one on the same data folder is refused", async () => {
    const port = String(await freePort());
    const env = { ...server.env, PORT: port, LOCAL_DOMAIN: `127.0.0.1:${port}` };
    await startRefused(env, /already in use/);
    assert.equal((await server.request("GET", "/health")).status, 200);
  });

  step("another one on the same port is refused, and makes no database", async () => {
    const folder = makeFolder();
    const env = { ...server.env, DATA_DIR: folder };
    const words = new RegExp(`Port ${server.port} is in use`);
    assertRefused(await rookery(["start"], { cwd: folder, env }), words);
    assert.deepEqual(readdirSync(folder), []);
    removeFolder(folder);
  });

  step("its NodeInfo document is valid: by address, as a file, from standard input", async () => {
    const address = `${server.url}/nodeinfo/2.0`;
    const { text } = await server.request("GET", "/nodeinfo/2.0");
    const file = join(server.dataDir, "nodeinfo.json");
    assert.match((await server.cli(["nodeinfo", "validate", address])).out, /^OK/);
    assert.match((await typed(["nodeinfo", "validate", "-"], text)).out, /^OK/);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(text), version: "3.0", protocols: [] }));
    const refused = await server.cli(["nodeinfo", "validate", file]);
    assert.equal(refused.code, 1);
    assert.match(refused.out, /version/);
    assert.match(refused.out, /protocols/);
    assertRefused(await server.cli(["nodeinfo", "validate", `${file}.none`]), /Cannot read/);
  });
});

/** Sends a request in two halves, with `between` in the middle; returns the answer's first line. */
const slowPost = (between: () => Promise<unknown>): Promise<string> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ status: "in progress" });
    const socket = connect(server.port, "127.0.0.1");
    const head = [
      "POST /api/v1/statuses HTTP/1.1",
      `Host: ${server.host}`,
      `Authorization: Bearer ${alice.token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    let answer = "";
    socket.on("error", reject);
    socket.on("data", (chunk) => (answer += String(chunk)));
    socket.on("close", () => resolve(answer.split("\r\n")[0]!));
    socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 5)}`, async () => {
      await between();
      socket.write(body.slice(5));
    });
  });

describe("stopping and restarting", () => {
  const posts = async (): Promise<string[]> => {
    const list: any[] = await alice.get(`/api/v1/accounts/${alice.id}/statuses`);
    return list.map((status) => status.content);
  };

  step(
    "SIGTERM: the request in progress is finished, the database stops, everything is released",
    async () => {
      const database = isSplit ? null : databasePid(server);
      let ended: Promise<unknown> = Promise.resolve();
      const unused = connect(server.port, "127.0.0.1").on("error", () => undefined);
      const first = await slowPost(async () => {
        await sleep(200);
        ended = server.stop();
        await sleep(200);
      });
      assert.match(first, /^HTTP\/1\.1 200/);
      assert.deepEqual(await ended, { code: 0, signal: null });
      unused.destroy();
      assert.ok(database === null || !pidAlive(database));
      assert.equal(existsSync(join(server.dataDir, "rookery.lock")), false);
    },
  );

  step("the command line works without the server too", async () => {
    const email = "carol@example.com";
    const result = await server.cli(["accounts", "create", "carol", "--email", email]);
    assert.match(result.out, /New password: \S+/);
    assert.equal(existsSync(join(server.dataDir, "rookery.lock")), false);
  });

  step("the next start has everything, and no link where there is an owner", async (context) => {
    context.diagnostic(`started after ${await server.start()} ms`);
    assert.deepEqual(await posts(), ["<p>in progress</p>", "<p>hello</p>"]);
    await eventually("the greeting", () => server.printed().includes("is running at"));
  });

  step(
    "kill -9 of the server: its database ends with it, the next start has everything",
    async (context) => {
      const database = isSplit ? null : databasePid(server);
      await alice.post("/api/v1/statuses", { status: "before the end" });
      await server.kill();
      assert.ok(!server.printed().includes("/setup?"), server.printed());
      context.diagnostic(`started after ${await server.start()} ms`);
      if (database) await isGone(database);
      assert.equal((await posts())[0], "<p>before the end</p>");
    },
  );

  step.ofOne("kill -9 of its database: it is started again, and has everything", async () => {
    const died = databasePid(server);
    await alice.post("/api/v1/statuses", { status: "the database dies" });
    process.kill(died, "SIGKILL");
    await eventually("another database", async () => databasePid(server) !== died);
    const seen = await eventually("the posts", async () => {
      const { status, json } = await server.request(
        "GET",
        `/api/v1/accounts/${alice.id}/statuses`,
        { token: alice.token },
      );
      return status === 200 && json;
    });
    assert.equal(seen[0].content, "<p>the database dies</p>");
  });

  step.ofOne("a second SIGTERM ends it at once", async () => {
    const first = slowPost(async () => {
      await sleep(200);
      process.kill(server.pid(), "SIGTERM");
      await sleep(200);
      process.kill(server.pid(), "SIGTERM");
      await server.ended();
    }).catch(() => "");
    assert.equal((await server.ended()).code, 1);
    assert.equal(await first, "");
  });
});

describe("what cannot start: one sentence, exit code 1", { skip: onlyOne }, () => {
  // Of settings that are wrong by themselves one: src/platform/config/ has the others.
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: "many" }, /PORT must be a whole number/],
    [{ BIND: "203.0.113.7" }, /BIND is 203\.0\.113\.7/],
    [{ DATABASE_URL: "postgres://me@127.0.0.1:1/rookery" }, /database/i],
    [{ DATA_DIR: "/proc/nothing" }, /\/proc\/nothing/],
  ];
  for (const [wrong, words] of cases) {
    it(JSON.stringify(wrong), async () => {
      const folder = makeFolder();
      const env = { LOCAL_HTTPS: "false", PORT: String(await freePort()), DATA_DIR: folder };
      await startRefused({ ...env, ...wrong }, words);
      removeFolder(folder);
    });
  }

  it("leaves no database behind when that has started already", async () => {
    const folder = makeDataFolder();
    const env = { PORT: String(await freePort()), DATA_DIR: folder, VAPID_PUBLIC_KEY: "half" };
    await startRefused(env, /VAPID_PRIVATE_KEY/);
    assert.equal(existsSync(join(folder, "postgres", "postmaster.pid")), false);
    removeFolder(folder);
  });

  it("--roles with a part missing", async () => {
    const folder = makeFolder();
    const result = await rookery(["start", "--roles", "web"], { cwd: folder });
    assertRefused(result, /separate processes requires/);
    removeFolder(folder);
  });
});
