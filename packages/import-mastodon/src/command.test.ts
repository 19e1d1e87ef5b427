// The command: it is killed, goes on, and says whether all is there.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cloneDatabase } from "../../../test/database.ts";
import { runCommand } from "../../../test/command-line.ts";
import { importWords, startImport } from "../test/import-command.ts";
import { startOldApi } from "../test/old-api.ts";
import { oldPeople, recordings, startOldServer } from "../test/old-server.ts";
import type { OldServer } from "../test/old-server.ts";
import { connect } from "../../../src/platform/db/index.ts";
import type { Sql } from "../../../src/platform/db/index.ts";

let database: { url: string; drop(): Promise<void> };
let old: OldServer;
let sql: Sql;
let folder: string;

before(async () => {
  database = await cloneDatabase();
  old = await startOldServer(database.url);
  sql = connect(database.url, { max: 1, application: "tests" });
  folder = mkdtempSync(join(tmpdir(), "rookery-import-"));
});

after(async () => {
  await sql?.end();
  await old?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (dataDir = folder) => ({
  DATA_DIR: join(dataDir, "data"),
  LOCAL_DOMAIN: "old.test",
});

/** Runs the command in this process. */
const run = (options: string[] = [], domain = "old.test") =>
  runCommand(
    { ...environment(), DATABASE_URL: database.url, LOCAL_DOMAIN: domain },
    importWords(old, options),
  );

const stepsDone = async (): Promise<number> => {
  const [row] = await sql<
    { count: number }[]
  >`SELECT count(*)::int AS count FROM moving_steps WHERE done`;
  return row!.count;
};

test("another domain is refused in one sentence", async () => {
  const { code, output } = await run([], "new.test");
  assert.equal(code, 1);
  assert.match(output, /^rookery: That server is old\.test, and this one is new\.test: .*$/m);
});

test("the plan is printed, and nothing is written", async () => {
  const { code, output } = await run(["--dry-run"]);
  assert.equal(code, 0, output);
  assert.match(output, /^155 statuses → statuses$/m);
  assert.match(output, /^1 relays that were switched off$/m);
  assert.equal(await stepsDone(), 0);
});

test("it makes the database of a folder where nothing is", async () => {
  const empty = mkdtempSync(join(tmpdir(), "rookery-import-empty-"));
  const typed = (...options: string[]) => runCommand(environment(empty), importWords(old, options));
  try {
    const { code, output } = await typed();
    assert.equal(code, 0, output);
    assert.match(output, /^Pass 1 is finished\.$/m);
    const checked = await typed("--check");
    assert.equal(checked.code, 0, checked.output);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});

test("it is killed twice, goes on, and nothing is missing", async () => {
  for (const steps of [6, 30]) {
    const child = startImport(old, {
      folder,
      env: { DATABASE_URL: database.url },
      stdio: "ignore",
    });
    const ended = once(child, "close");
    while ((await stepsDone()) < steps && child.exitCode === null) await sleep(1);
    child.kill("SIGKILL");
    assert.deepEqual(await ended, [null, "SIGKILL"], "it had ended before");
  }
  const { code, output } = await run();
  assert.equal(code, 0, output);
  assert.match(output, /^Pass 1 is finished\.$/m);
  assert.match(output, /^posts: 136$/m);
  const checked = await run(["--check"]);
  assert.equal(checked.code, 0, checked.output);
  assert.match(checked.output, /^[\d,]+ rows compared, 0 differ\.$/m);
  assert.match(checked.output, /^\d+ tables counted\.$/m);
});

test("after an import nothing differs without a reason, for anybody", async () => {
  const other = await startOldApi();
  const { people } = recordings();
  const isLetIn = (name: string) =>
    people[name]?.["/api/v1/accounts/verify_credentials"]?.status === 200;
  const tokens = Object.entries(oldPeople()).flatMap(([name, { token }]) =>
    isLetIn(name) ? [token] : [],
  );
  const { code, output } = await compare(other.url, ...tokens);
  other.close();
  assert.match(output, /^\d+ answers compared, 0 differ\.$/m, output);
  assert.equal(code, 0, output);
});

const compare = (url: string, ...tokens: string[]) =>
  run(["--check", "--api", url, ...tokens.flatMap((token) => ["--token", token])]);

test("what people read on both servers is compared", async () => {
  const { alice, g1 } = oldPeople();
  const other = await startOldApi((path, body) =>
    path.endsWith("/lists") ? [...body, { id: "999", title: "Lost" }] : body,
  );
  const { code, output } = await compare(other.url, alice!.token, g1!.token);
  assert.equal(code, 1);
  assert.match(output, /^\/api\/v1\/lists\[\]#: \[.*"999"\], now \[/m);
  assert.match(output, /^\d{2,3} answers compared, \d+ differ\.$/m);
  const refused = await compare(other.url, "no-token");
  assert.match(refused.output, /^rookery: The other server answers 401 to a --token\.$/m);
  other.close();
  const gone = await compare(other.url, alice!.token);
  assert.match(gone.output, /^rookery: http:.* does not answer: /m);
});

test("a token needs the address of the other server", async () => {
  const { code, output } = await run(["--check", "--token", "x"]);
  assert.equal(code, 1);
  assert.match(output, /^rookery: --token needs --api/m);
});

test("the address of the other server does nothing without a token, and neither without --check: both are said", async () => {
  const api = ["--api", "http://127.0.0.1:1"];
  const alone = await run(["--check", ...api]);
  assert.equal(alone.code, 1, alone.output);
  assert.match(alone.output, /^rookery: --api needs --token/m);
  const unchecked = await run([...api, "--token", "x"]);
  assert.equal(unchecked.code, 1, unchecked.output);
  assert.match(unchecked.output, /^rookery: --api and --token belong to --check/m);
});

test("the keys for push are those that apps have subscribed to", () => {
  const text = readFileSync(join(folder, "data/secrets/vapid.json"), "utf8");
  assert.match(
    text,
    /BPDa4R5L9y5V8SmjUfc833_TP92peYV63yScQbzG9dvnTWzq6EqxwWn7fobp5eJ5IqaHovxFzOUiA7GoSaUUY8E/,
  );
});
