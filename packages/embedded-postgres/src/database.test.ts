// The embedded database, really started: data survives, processes are killed, one server per folder.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, afterEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { connectEmbedded, EmbeddedPostgresError, startEmbedded } from "./index.ts";
import type { EmbeddedDatabase } from "./index.ts";
import { isListening } from "./process.ts";
import { processIdentity } from "./process-identity.ts";

const NAME = "birds";

// One data folder, filled by the first test: saves most other tests a second.
const USED = mkdtempSync(join(tmpdir(), "embedded-postgres-"));
after(() => rmSync(USED, { recursive: true, force: true }));

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step();
});

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "embedded-postgres-"));
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A data folder with a database of its own, open to the database's user: a copy of the used one, as it was left. */
const copied = (): string => {
  const folder = temporary();
  execFileSync("cp", ["-a", `${USED}/.`, folder]);
  chmodSync(folder, 0o755);
  return folder;
};

const start = async (dataDir: string, durable = false): Promise<EmbeddedDatabase> => {
  const database = await startEmbedded({ dataDir, name: NAME, durable });
  cleanup.push(() => database.stop());
  return database;
};

type Rows = Record<string, unknown>[];

const query = async ({ url }: { url: string }, ...statements: string[]): Promise<Rows> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Rows = [];
    for (const text of statements) ({ rows } = await client.query(text));
    return rows;
  } finally {
    await client.end();
  }
};

const rows = async (database: { url: string }): Promise<unknown[]> =>
  (await query(database, "SELECT n FROM kept ORDER BY n")).map(({ n }) => n);

const store = (database: { url: string }, n: number): Promise<Rows> =>
  query(
    database,
    "DROP TABLE IF EXISTS kept; CREATE TABLE kept (n int)",
    `INSERT INTO kept VALUES (${n})`,
  );

const gone = async (pid: number, identity: string | null): Promise<boolean> => {
  for (let i = 0; i < 500 && processIdentity(pid) === identity; i++) await sleep(10);
  return processIdentity(pid) !== identity;
};

const CONTAINER = ["unshare", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"];

/** Starts it in a process of its own; `wrap` starts that in a container, which is killed as a whole. */
const startElsewhere = async (dataDir: string, wrap: string[] = []) => {
  const source = `
    import { startEmbedded } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)};
    const db = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, name: "${NAME}", durable: ${wrap.length > 0} });
    console.log(JSON.stringify({ url: db.url, pid: db.pid, socketDir: db.socketDir }));
    setInterval(() => {}, 1000);`;
  const [command, ...args] = [...wrap, process.execPath, "--input-type=module", "-e", source];
  const child = spawn(command!, args, { stdio: ["ignore", "pipe", "inherit"] });
  cleanup.push(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const database = JSON.parse(line) as { url: string; pid: number; socketDir: string };
  // A container ends with its first process, and its ids mean nothing here.
  const identity = wrap.length > 0 ? null : processIdentity(database.pid);
  cleanup.push(async () => {
    child.kill("SIGKILL");
    if (identity) await gone(database.pid, identity);
    rmSync(database.socketDir, { recursive: true, force: true });
  });
  return { child, database };
};

test("starts, knows all of Unicode, lets the app create its extensions, and stores data", async () => {
  const dataDir = USED;
  const first = await start(dataDir);
  assert.equal(first.owned, true);
  const [row] = await query(
    first,
    "SELECT lower('ŽŠ') AS lower, current_setting('is_superuser') AS super",
  );
  assert.deepEqual(row, { lower: "žš", super: "off" });
  for (const name of ["pg_trgm", "unaccent", "citext"]) {
    await query(first, `CREATE EXTENSION ${name}`);
  }
  const [words] = await query(
    first,
    `SELECT unaccent('Žluť') AS plain, 'ŽLUŤ'::citext = 'žluť' AS same,
      similarity('ŽLUŤ', 'žluť') AS similarity, to_tsvector('simple', 'ŽLUŤ kůň')::text AS vector`,
  );
  const vector = "'kůň':2 'žluť':1";
  assert.deepEqual(words, { plain: "Zlut", same: true, similarity: 1, vector });
  await store(first, 1);
  await first.stop();
  assert.equal(existsSync(join(dataDir, `${NAME}.lock`)), false);
  assert.equal(existsSync(join(first.socketDir, ".s.PGSQL.5432")), false);
  assert.deepEqual(await rows(await start(dataDir)), [1]);
});

test("the role and the database have the name, and the socket's folder is private", async () => {
  const database = await start(USED);
  const mode = statSync(database.socketDir).mode & 0o777;
  assert.equal(mode, 0o700);
  const rows = await query(database, "SELECT current_user, current_database() AS name");
  assert.deepEqual(rows, [{ current_user: NAME, name: NAME }]);
});

test("a name that would be more than a name is refused", async () => {
  for (const name of ["", "Birds", "a b", "../x", "a;b"]) {
    await assert.rejects(startEmbedded({ dataDir: USED, name }), TypeError);
    await assert.rejects(connectEmbedded({ dataDir: USED, name }), TypeError);
  }
});

test("settings are the caller's where it gives them, and who may not use a folder says so", async () => {
  const settings = { work_mem: "3MB", max_connections: "11" };
  const database = await startEmbedded({ dataDir: USED, name: NAME, durable: false, settings });
  cleanup.push(() => database.stop());
  const [row] = await query(
    database,
    "SELECT current_setting('work_mem') AS memory, current_setting('max_connections') AS max",
  );
  assert.deepEqual(row, { memory: "3MB", max: "11" });
  const refuse = (folder: string): never => {
    throw new RangeError(folder);
  };
  await assert.rejects(connectEmbedded({ dataDir: USED, name: NAME, refuse }), RangeError);
  await assert.rejects(startEmbedded({ dataDir: USED, name: NAME, refuse }), RangeError);
});

test("the sentences are in the caller's words", async () => {
  const dataDir = temporary();
  const words = {
    program: "Nest",
    otherFolder: "move",
    otherDatabase: "buy one",
    withoutLocks: "insist",
    findDatabase: "look in the wood",
  };
  await assert.rejects(connectEmbedded({ dataDir, name: NAME, appearMs: 0 }), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.equal(error.code, "no_database");
    assert.equal(error.tell(words), `There is no database in ${dataDir}: look in the wood.`);
    return true;
  });
});

test("works in deep folders with any characters, and below folders without permission", async () => {
  const closed = join(temporary(), "closed");
  mkdirSync(closed, { mode: 0o700 });
  const dataDir = join(closed, "ein längerer Weg, mit 'Zeichen'", "x".repeat(120));
  const database = await start(dataDir);
  assert.ok(database.socketDir.length < 90);
  await store(database, 7);
  assert.equal(existsSync(join(dataDir, "postgres", "PG_VERSION")), true);
  const command = await connectEmbedded({ dataDir, name: NAME });
  assert.deepEqual([command.owned, command.pid], [false, database.pid]);
  assert.deepEqual(await rows(command), [7]);
  await database.stop();
  assert.equal(existsSync(database.socketDir), false);
});

test("the path is the plain one where every folder is open", async () => {
  const folder = copied();
  const database = await start(folder);
  assert.equal(database.socketDir, join(folder, "postgres"));
  const { pid } = database;
  assert.equal(
    readFileSync(join(folder, "postgres/postmaster.pid"), "utf8").split("\n")[0],
    `${pid}`,
  );
});

test("a second server is refused; a command uses the server's database or starts its own", async () => {
  const dataDir = USED;
  const alone = await connectEmbedded({ dataDir, name: NAME, durable: false });
  assert.equal(alone.owned, true);
  await store(alone, 3);
  await alone.stop();
  const { child, database } = await startElsewhere(dataDir);
  await assert.rejects(startEmbedded({ dataDir, name: NAME, durable: false }), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(
      error.message,
      new RegExp(`in use by another server process \\(pid ${child.pid}\\)`),
    );
    return true;
  });
  const command = await connectEmbedded({ dataDir, name: NAME });
  assert.deepEqual([command.owned, command.pid], [false, database.pid]);
  await command.stop();
  assert.deepEqual(await rows(database), [3]);
});

test("a server waits for a command that holds the folder, and commands for each other", async () => {
  const dataDir = USED;
  const order: string[] = [];
  const command = await connectEmbedded({ dataDir, name: NAME, durable: false });
  const next = connectEmbedded({ dataDir, name: NAME, durable: false }).then(async (database) => {
    order.push(database.owned ? "own" : "borrowed");
    await database.stop();
  });
  await sleep(150);
  order.push("first");
  await command.stop();
  await next;
  assert.deepEqual(order, ["first", "own"]);
  const again = await connectEmbedded({ dataDir, name: NAME, durable: false });
  const server = start(dataDir);
  await sleep(100);
  await again.stop();
  assert.equal((await server).owned, true);
});

test("after kill -9 of the server its database ends or is taken over, and nothing is lost", async () => {
  const dataDir = USED;
  const { child, database } = await startElsewhere(dataDir);
  const identity = processIdentity(database.pid);
  await store(database, 5);
  child.kill("SIGKILL");
  await once(child, "exit");
  const next = await start(dataDir);
  assert.notEqual(next.pid, database.pid);
  assert.deepEqual(await rows(next), [5]);
  assert.equal(await gone(database.pid, identity), true);
});

test("a database left running without its server is stopped before the next start", async () => {
  const dataDir = USED;
  const { child, database } = await startElsewhere(dataDir);
  const identity = processIdentity(database.pid);
  // A stopped process cannot react to its parent's death: as on a system without that signal.
  process.kill(database.pid, "SIGSTOP");
  child.kill("SIGKILL");
  await once(child, "exit");
  const next = startEmbedded({ dataDir, name: NAME, durable: false });
  await sleep(100);
  assert.equal(processIdentity(database.pid), identity, "the old one is still there");
  process.kill(database.pid, "SIGCONT");
  cleanup.push(async () => (await next).stop());
  assert.notEqual((await next).pid, database.pid);
  assert.notEqual(processIdentity(database.pid), identity);
});

/** Kills postgres and waits until another one answers; the pid of that one. */
const killAndWait = async (database: EmbeddedDatabase): Promise<void> => {
  const { pid } = database;
  process.kill(pid, "SIGKILL");
  while (database.pid === pid) await sleep(20);
};

test("kill -9 of postgres: it is started again, with everything", async () => {
  const database = await start(USED, true);
  database.onExit(() => assert.fail("onExit was called"));
  await store(database, 9);
  await killAndWait(database);
  assert.deepEqual(await rows(database), [9]);
  await database.stop();
});

test("a stop while it is being started again stops it", async () => {
  const database = await start(USED, true);
  database.onExit(() => assert.fail("onExit was called"));
  const identity = processIdentity(database.pid)!;
  process.kill(database.pid, "SIGKILL");
  await gone(database.pid, identity);
  await database.stop();
  assert.deepEqual(await rows(await start(USED)), [9]);
});

test("one that ends again and again is given up: onExit is called once, the folder is free", async () => {
  const dataDir = USED;
  const database = await start(dataDir, true);
  const exits: unknown[] = [];
  const exited = new Promise<void>((resolve) => {
    database.onExit((exit) => resolve(void exits.push(exit)));
  });
  for (let restart = 0; restart < 5; restart++) await killAndWait(database);
  process.kill(database.pid, "SIGKILL");
  await exited;
  assert.deepEqual(exits, [{ code: null, signal: "SIGKILL" }]);
  await database.stop();
  assert.deepEqual(await rows(await start(dataDir)), [9]);
});

test("stop does not call onExit", async () => {
  const database = await start(USED);
  database.onExit(() => assert.fail("onExit was called"));
  await Promise.all([database.stop(), database.stop()]);
});

test("a pid file whose number belongs to another program does not count as a server", async () => {
  const dataDir = USED;
  writeFileSync(join(dataDir, "postgres/postmaster.pid"), `${process.pid}\n${dataDir}/postgres\n`);
  assert.equal((await start(dataDir)).owned, true);
});

test("a server in another container keeps its database, whatever files are deleted", async () => {
  // Its socket is on the volume that both containers see.
  const folder = copied();
  const { child, database } = await startElsewhere(folder, CONTAINER);
  await store(database, 11);
  const refused = async (message: RegExp) => {
    await assert.rejects(startEmbedded({ dataDir: folder, name: NAME, durable: false }), {
      message,
    });
    assert.deepEqual(await rows(database), [11]);
  };
  await refused(/already in use by another server process/);
  const command = await connectEmbedded({ dataDir: folder, name: NAME });
  assert.deepEqual([command.owned, await rows(command)], [false, [11]]);
  rmSync(join(folder, `${NAME}.db.lock`));
  rmSync(join(folder, `${NAME}.lock`));
  await refused(/perhaps in another container, may be using the database/);
  child.kill("SIGKILL");
  await once(child, "exit");
  // The rest of the container ends a moment later.
  while ((await isListening(database.socketDir)) === true) await sleep(10);
  assert.deepEqual(await rows(await start(folder)), [11]);
});

test("a server keeps its database when somebody deletes both lock files", async () => {
  const { database } = await startElsewhere(USED);
  await store(database, 13);
  rmSync(join(USED, `${NAME}.db.lock`));
  rmSync(join(USED, `${NAME}.lock`));
  await assert.rejects(startEmbedded({ dataDir: USED, name: NAME, durable: false }), {
    message: /may be using the database/,
  });
  assert.deepEqual(await rows(database), [13]);
});

/** Replaces a file's content (null: removes the file) until the test ends. */
const damage = (name: string, content: string | Buffer | null) => {
  const path = join(USED, "postgres", name);
  renameSync(path, `${path}.whole`);
  if (content !== null) {
    writeFileSync(path, content, { mode: 0o600 });
    chownSync(path, statSync(`${path}.whole`).uid, statSync(`${path}.whole`).gid);
  }
  cleanup.push(() => renameSync(`${path}.whole`, path));
};

const refusals: [string, (folder: string) => string, RegExp][] = [
  [
    "a file in the folder's place",
    (folder) => {
      writeFileSync(join(folder, "file"), "");
      return join(folder, "file/data");
    },
    /part of the path is a file or a broken link: choose another folder\.$/,
  ],
  [
    "a link to nowhere",
    (folder) => {
      symlinkSync(join(folder, "unmounted/disk"), join(folder, "link"));
      return join(folder, "link/data");
    },
    /a broken link: choose another folder\.$/,
  ],
  ["a place where no folder can be", () => "/proc/rookery", /cannot be created: choose another/],
  [
    "files that are no database",
    (folder) => {
      mkdirSync(join(folder, "postgres"));
      writeFileSync(join(folder, "postgres/notes"), "");
      return folder;
    },
    /contains files but no database/,
  ],
  [
    "another version's database",
    () => {
      damage("PG_VERSION", "17\n");
      return USED;
    },
    /was created by PostgreSQL 17, but this server includes PostgreSQL 18/,
  ],
  [
    "a damaged control file",
    () => {
      damage("global/pg_control", Buffer.alloc(8192, 7));
      return USED;
    },
    /is damaged: move that folder away and restore a backup/,
  ],
  [
    "a missing write-ahead log",
    () => {
      damage("pg_wal", null);
      return USED;
    },
    /is damaged/,
  ],
];
for (const [name, make, message] of refusals) {
  test(`one sentence for ${name}, and the lock is given back`, async () => {
    const dataDir = make(temporary());
    await assert.rejects(startEmbedded({ dataDir, name: NAME, durable: false }), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError, String(error));
      assert.match(error.message, message);
      return true;
    });
    assert.equal(existsSync(join(dataDir, `${NAME}.lock`)), false);
  });
}
