// Backups of a server that serves and writes, restored into empty folders, whose responses are the same; and what is
// refused.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { runCommand } from "../../../test/command-line.ts";
import { dropDatabase, withDatabase } from "../../../test/database.ts";
import { formOf, picture } from "../../../test/files.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { sendRequest } from "../../../test/person.ts";
import { startPgBouncer, withoutPgBouncer } from "../../../test/pgbouncer.ts";
import { startS3 } from "../../../test/s3-server.ts";
import { closeApp, createApp, createStorages } from "../../../src/app.ts";
import { checkBackup, checkServer, findSource } from "./check.ts";
import { createBackup } from "./create.ts";
import { openPlace, openTarget } from "./place.ts";
import type { Place } from "./place.ts";
import { pruneBackups } from "./prune.ts";
import { selectOutcomes } from "../../../src/platform/backup/queries.ts";
import { markFolder } from "../../../src/platform/backup/unfinished.ts";
import { isDue } from "../../../src/platform/backup/schedule.ts";
import { createKeys, sealedSize } from "./sealed.ts";
import { readConfig, withSecrets } from "../../../src/platform/config/config.ts";
import { checkDatabase, connect } from "../../../src/platform/db/index.ts";
import { connectEmbedded, startEmbedded } from "../../../src/platform/db/embedded.ts";
import { ConfigError } from "../../../src/platform/errors.ts";
import { newKey, typeOfKey } from "../../../src/platform/storage/index.ts";
import { s3Storage } from "../../../src/platform/storage/s3.ts";
import { deleteFiles } from "../../../src/platform/storage/delete.ts";
import { startWeb } from "../../../src/roles/web.ts";
import { restoreChecked } from "./restore-command.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-backup-"));
let now = new Date();
let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

const upload = async (person: Person): Promise<any> => {
  const answer = await person.post("/api/v2/media", formOf(await picture("png")));
  await server.runJobs();
  return answer.json;
};

const post = (person: Person, json: object) => person.post("/api/v1/statuses", json).ok();

/** What alice sees of her world: none of it changes while carol writes. */
const READ = [
  "/api/v1/accounts/verify_credentials",
  "/api/v1/timelines/home?limit=40",
  "/api/v1/favourites",
  "/api/v1/bookmarks",
  "/api/v1/notifications",
  "/api/v1/lists",
  "/api/v2/filters",
  "/api/v1/conversations",
  "/api/v1/preferences",
  "/api/v1/markers?timeline[]=home",
  "/api/v1/scheduled_statuses",
  "/api/v2/search?q=needle",
  "/.well-known/webfinger?resource=acct:alice@HOST",
];

type Ask = (path: string) => Promise<string>;

const answersOf = async (ask: Ask): Promise<string[]> => {
  const names: string[] = [];
  for (const path of READ) names.push(await ask(path));
  return names;
};

const host = (): string => new URL(server.url).host;

const askAt =
  (origin: string, token: string): Ask =>
  async (path) => {
    const url = new URL(path.replace("HOST", host()), origin).toString();
    const answer = await sendRequest(url, "GET", { token });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.text;
  };

/** The configuration of a restored server: the same names, everything else its own. */
const configFor = (dataDir: string, env: Record<string, string> = {}) =>
  readConfig({
    LOCAL_DOMAIN: host(),
    LOCAL_HTTPS: "false",
    PORT: "0",
    DATA_DIR: join(folder, dataDir),
    LOG_LEVEL: "silent",
    RATE_LIMITS: "false",
    PREVIEW_CARDS: "false",
    ...env,
  });

/** Serves what was restored, for as long as `work` takes. */
const serving = async <T>(
  config: ReturnType<typeof configFor>,
  databaseUrl: string,
  work: (origin: string, app: TestApp["app"]) => Promise<T>,
): Promise<T> => {
  const app = createApp({ config: withSecrets(config), databaseUrl });
  const web = await startWeb(app);
  try {
    return await work(`http://127.0.0.1:${(web.server.address() as { port: number }).port}`, app);
  } finally {
    await web.close();
    await closeApp(app);
  }
};

const databases: string[] = [];
const emptyDatabase = async (): Promise<string> => {
  const name = `restored_${databases.length}_${process.pid}`;
  databases.push(name);
  await server.app.sql.unsafe(`CREATE DATABASE ${name}`);
  return withDatabase(server.databaseUrl, name);
};

const place = (name: string): Place =>
  openPlace(join(folder, name) + (name.endsWith("/") ? "/" : ""), server.app.config.backup.service);

const checked = async (at: Place, passphrase: string | null = null) =>
  checkBackup(await findSource(at, passphrase));

const refused = (promise: Promise<unknown>, text: RegExp) =>
  assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof ConfigError, String(error));
    assert.match(error.message, text);
    assert.match(error.message, /^\S[^\n]*\.$/);
    return true;
  });

before(async () => {
  server = await startTestApp({ clock: { now: () => now } });
  [alice, bob, carol] = [
    await server.person("alice"),
    await server.person("bob"),
    await server.person("carol"),
  ];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  const { id: media } = await upload(alice);
  const mine = await post(alice, { status: "a needle, with a picture", media_ids: [media] });
  const theirs = await post(bob, {
    status: "@alice which?\n\tčřž \\N \u2028 \u{1f426}",
    poll: { options: ["this", "that"], expires_in: 86_400 },
  });
  await alice.post(`/api/v1/statuses/${theirs.id}/favourite`).ok();
  await alice.post(`/api/v1/statuses/${theirs.id}/bookmark`).ok();
  await bob.post(`/api/v1/statuses/${mine.id}/reblog`).ok();
  await post(bob, { status: "@alice only you", visibility: "direct" });
  await alice.post("/api/v1/lists", { title: "birds" }).ok();
  await alice.post("/api/v2/filters", { title: "loud", context: ["home"] }).ok();
  await alice.post("/api/v1/markers", { home: { last_read_id: theirs.id } }).ok();
  await server.runJobs();
});
after(async () => {
  for (const name of databases) await dropDatabase(server.app.sql, name);
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a backup under load, restored into an empty folder, gives the same answers", async () => {
  const before: any[] = [];
  for (let n = 0; n < 5; n += 1) before.push(await post(carol, { status: `before ${n}` }));
  await server.runJobs();
  const written: any[] = [];
  let writing = true;
  const writer = (async () => {
    while (writing) written.push(await post(carol, { status: `during ${written.length}` }));
  })();
  // Its file is due to be deleted, but a backup that named it could be going on.
  const { id: unused } = await upload(carol);
  const backup = await createBackup(server.app, server.databaseUrl, place("one.backup"), {
    passphrase: null,
  });
  writing = false;
  await writer;
  await server.runJobs();
  assert.ok(written.length > 0);
  assert.equal(statSync(join(folder, "one.backup")).mode & 0o777, 0o600);
  assert.equal(backup.files, 4, "two pictures, with a smaller one of each");
  await refused(
    createBackup(server.app, server.databaseUrl, place("one.backup"), { passphrase: null }),
    /exists already/,
  );

  const config = configFor("restored");
  const restored = await restoreChecked(config, await checked(place("one.backup")));
  assert.deepEqual(restored, { files: 4, missing: [] });
  const database = await startEmbedded({ dataDir: config.dataDir, durable: false });
  try {
    await serving(config, database.url, async (origin, app) => {
      assert.deepEqual(app.config.secrets, server.app.config.secrets);
      const ours = await answersOf(askAt(server.url, alice.token));
      const theirs = await answersOf(askAt(origin, alice.token));
      for (const [n, path] of READ.entries()) assert.equal(theirs[n], ours[n], path);

      // Of carol: everything from before, and of the rest a beginning that fits together.
      const ask = askAt(origin, carol.token);
      const path = `/api/v1/accounts/${carol.accountId}/statuses?limit=40`;
      const rows = JSON.parse(await ask(path)) as { id: string }[];
      const all = [...before, ...written].map(({ id }) => id);
      const stored = all.slice(0, all.indexOf(rows[0]!.id) + 1);
      assert.deepEqual(
        rows.map(({ id }) => id),
        stored.toReversed().slice(0, 40),
      );
      const me = JSON.parse(await ask("/api/v1/accounts/verify_credentials"));
      assert.ok(stored.length >= before.length);
      assert.equal(me.statuses_count, stored.length);
      for (const { id } of before) {
        const path = `/api/v1/statuses/${id}`;
        // Her account counts what she wrote since then.
        const [theirs, ours] = [await ask(path), await askAt(server.url, carol.token)(path)];
        const { account: _, ...post } = JSON.parse(ours);
        assert.deepEqual({ ...JSON.parse(theirs), account: 0 }, { ...post, account: 0 });
      }
      assert.equal(JSON.parse(await ask(`/api/v1/media/${unused}`)).id, unused);
      const files = await Array.fromAsync(app.storage.list());
      assert.deepEqual(files, await Array.fromAsync(server.app.storage.list()));

      // Writing goes on where it was.
      const next = await sendRequest(`${origin}/api/v1/statuses`, "POST", {
        token: carol.token,
        json: { status: "after the fire" },
      });
      assert.equal(next.status, 200, next.text);
    });
  } finally {
    await database.stop();
  }
  await refused(restoreChecked(config, await checked(place("one.backup"))), /is not empty/);
});

test("while a backup is made no file is deleted, and no other backup is made", async () => {
  const { storage, sql } = server.app;
  const key = "attachments/00/0123456789.png";
  await storage.put(key, Readable.from([Buffer.from("x")]));
  await server.write`INSERT INTO files_to_delete (key) VALUES (${key})`;
  const slow = place("slow.backup");
  const put = slow.files.put;
  slow.files.put = async (name, body) => {
    await deleteFiles(server.app);
    assert.ok(await storage.stat(key), "it is still there");
    const second = createBackup(server.app, server.databaseUrl, place("second.backup"), {
      passphrase: null,
    });
    await refused(second, /Another backup is being made/);
    assert.equal(await isDue(server.app), false, "the clock does not begin another one meanwhile");
    await put(name, body);
  };
  const { backup } = server.app.config;
  server.app.config.backup = { ...backup, to: "/somewhere/", everyHours: 0 };
  assert.equal(await isDue(server.app), true);
  await createBackup(server.app, server.databaseUrl, slow, { passphrase: null });
  await deleteFiles(server.app);
  assert.equal(await storage.stat(key), null);
  const { last } = await selectOutcomes(sql);
  assert.equal(last!.fault, null);
  const [failed] = await sql`SELECT FROM backups WHERE fault LIKE 'Another backup%'`;
  assert.equal(failed, undefined, "the one that was refused counts as nothing");
  server.app.config.backup = backup;
});

test("encrypted, in a bucket: media are copied once, old backups go with what only they have", async () => {
  const s3 = await startS3(join(folder, "s3"));
  try {
    const { bucket, ...service } = s3.options;
    const at = () => openPlace(`s3://${bucket}/some/backups/`, service);
    const make = async () => {
      now = new Date(now.getTime() + 1000);
      return createBackup(server.app, server.databaseUrl, at(), { passphrase: "opensesame" });
    };
    const first = await make();
    assert.equal(first.files_copied, first.files);
    const { id } = await upload(bob);
    const second = await make();
    assert.equal(second.files_copied, 2);
    const [gone] = await server.app
      .sql`SELECT file_key, small_key FROM media_attachments WHERE id = ${id}`;
    await server.app.storage.delete([gone!.file_key, gone!.small_key]);
    const third = await make();
    assert.deepEqual([third.files, third.files_copied], [second.files - 2, 0]);

    const plain = await Array.fromAsync(at().files.list(), ({ key }) => key);
    assert.ok(plain.every((key) => /^(?:media-encrypted\/|rookery-\d{8}T\d{6}Z\.)/.test(key)));
    await refused(checked(at()), /is encrypted: set BACKUP_PASSPHRASE/);
    await refused(checked(at(), "guessed"), /the passphrase is wrong/);
    await refused(
      createBackup(server.app, server.databaseUrl, at(), { passphrase: null }),
      /is encrypted/,
    );

    const keys = createKeys("opensesame");
    assert.deepEqual(await pruneBackups(at().files, 2, keys), [first.name.replace(".backup", "")]);
    assert.ok(await at().files.stat(`media-encrypted/${gone!.file_key}`));
    await pruneBackups(at().files, 1, keys);
    assert.equal(await at().files.stat(`media-encrypted/${gone!.file_key}`), null);

    const left = await Array.fromAsync(at().files.list("media-encrypted/"));
    assert.equal(left.length, third.files);
    const lost = left[0]!.key;
    await at().files.put(lost, Readable.from([Buffer.alloc(left[0]!.size)]));
    const url = await emptyDatabase();
    const config = configFor("from-bucket", { DATABASE_URL: url });
    const restored = await restoreChecked(config, await checked(at(), "opensesame"));
    assert.deepEqual(restored.missing, [lost.replace("media-encrypted/", "")]);
    assert.equal(restored.files, third.files - 1);
    await serving(config, url, async (origin) => {
      const ours = await answersOf(askAt(server.url, alice.token));
      assert.deepEqual(await answersOf(askAt(origin, alice.token)), ours);
    });
  } finally {
    await s3.close();
  }
});

const rookery = async (env: Record<string, string>, ...words: string[]): Promise<string> => {
  const { code, output } = await runCommand(env, words);
  assert.equal(code, 0, output);
  return output;
};

test(
  "by the commands: through a pooler, with media in a bucket",
  {
    skip: withoutPgBouncer,
  },
  async () => {
    const s3 = await startS3(join(folder, "media-bucket"));
    const bouncer = await startPgBouncer(server.databaseUrl, 3);
    const { bucket, endpoint, credentials } = s3.options;
    const common = {
      LOCAL_DOMAIN: host(),
      LOCAL_HTTPS: "false",
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint!,
      AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    };
    const here = {
      ...common,
      DATA_DIR: server.app.config.dataDir,
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: server.databaseUrl,
    };
    const direct = await emptyDatabase();
    const name = new URL(direct).pathname.slice(1);
    const there = {
      ...common,
      DATA_DIR: join(folder, "from-pooler"),
      DATABASE_URL: withDatabase(bouncer.url, name),
      DATABASE_DIRECT_URL: direct,
    };
    const { main } = createStorages(withSecrets(readConfig(here)));
    try {
      await rookery(here, "media", "move");
      const keys = await Array.fromAsync(main.list(), ({ key }) => key);
      assert.ok(keys.length > 0);
      const target = join(folder, "pooled.backup");
      assert.match(await rookery(here, "backup", target), new RegExp(`${keys.length} media files`));
      await main.delete(keys);
      await rookery(there, "restore", target);
      assert.deepEqual(await Array.fromAsync(main.list(), ({ key }) => key), keys);
      await serving(configFor("from-pooler", there), direct, async (origin) => {
        const ours = await answersOf(askAt(server.url, alice.token));
        assert.deepEqual(await answersOf(askAt(origin, alice.token)), ours);
      });
      await rookery({ ...here, MEDIA_STORAGE: "disk" }, "media", "move");
    } finally {
      main.close();
      await bouncer.close();
      await s3.close();
    }
  },
);

test("a backup is not written among the media, nor taken for them", async () => {
  const s3 = await startS3(join(folder, "s3-media"));
  const { bucket, ...service } = s3.options;
  const storage = s3Storage(s3.options);
  try {
    // As an earlier version did.
    const at = openPlace(`s3://${bucket}/backups/`, service);
    const archive = newKey("archives", "tgz");
    await server.app.storage.put(archive, Readable.from([Buffer.from("private")]));
    await createBackup(server.app, server.databaseUrl, at, { passphrase: null });
    assert.ok(await at.files.stat(`media/${archive}`));
    assert.deepEqual(await Array.fromAsync(storage.list()), [], "no file of it is media");
    assert.equal(typeOfKey(`backups/media/${archive}`), null);
    await server.app.storage.delete([archive]);
    assert.deepEqual((await checked(at)).missing, []);
  } finally {
    storage.close();
    await s3.close();
  }
  const env = { S3_BUCKET: "media.example", S3_ENDPOINT: "http://127.0.0.1:1", PORT: "0" };
  const config = configFor("none", env);
  for (const target of ["s3://media.example/backups/", "s3://media.example/one.backup"]) {
    assert.throws(() => openTarget(target, config), /in the bucket of the media/);
    assert.throws(() => configFor("none", { ...env, BACKUP_TO: target }), /in the bucket of the/);
  }
  openTarget("s3://media.example.backups/", config).files.close();
  const { dataDir } = server.app.config;
  symlinkSync(join(dataDir, "media"), join(folder, "link"));
  for (const target of ["media/", "media/x.backup", "media/attachments/new/", "", "."]) {
    assert.throws(
      () => openTarget(join(dataDir, target), server.app.config),
      /would mix with the media/,
      target,
    );
  }
  assert.throws(() => openTarget(join(folder, "link/x.backup"), server.app.config), /would mix/);
});

test("what is not whole is refused in a sentence, and changes nothing", async () => {
  const bytes = readFileSync(join(folder, "one.backup"));
  const broken = async (name: string, content: Buffer) => {
    writeFileSync(join(folder, name), content);
    await refused(checked(place(name)), /is damaged or incomplete|is not a backup of Rookery/);
  };
  await broken("empty", Buffer.alloc(0));
  await broken("text", Buffer.from("something else altogether"));
  for (const part of [0.01, 0.5, 0.99]) {
    await broken("cut", bytes.subarray(0, Math.floor(bytes.length * part)));
    const changed = Buffer.from(bytes);
    changed[Math.floor(bytes.length * part)]! ^= 4;
    await broken("changed", changed);
  }
  await refused(checked(place("nowhere")), /There is no backup/);
  mkdirSync(join(folder, "no-backups"));
  await refused(checked(place("no-backups/")), /There is no complete backup/);

  const good = await checked(place("one.backup"));
  const other = configFor("other", { LOCAL_DOMAIN: "other.example", LOCAL_HTTPS: "true" });
  assert.throws(() => checkServer(good, other), /set LOCAL_DOMAIN=127\.0\.0\.1:/);
  const foreign = configFor("other", { SECRET_KEY_BASE: "x" });
  assert.throws(() => checkServer(good, foreign), /SECRET_KEY_BASE is not the one of the backup/);
  const full = configFor("other", { DATABASE_URL: server.databaseUrl });
  await refused(restoreChecked(full, good), /The database is not empty/);
  const away = configFor("other", { DATABASE_URL: "postgres://x@127.0.0.1:1/x" });
  await refused(restoreChecked(away, good), /cannot be used: the connection was refused/);
  assert.ok(!existsSync(join(folder, "other")));
});

test("half a restore is refused by the next start", async () => {
  const good = await checked(place("one.backup"));
  const { files } = good.source.place;
  const { open } = files;
  files.open = async (key, range) => {
    const file = (await open(key, range))!;
    const all = Buffer.concat(await Array.fromAsync(file.stream as AsyncIterable<Buffer>));
    return { ...file, stream: Readable.from([all.subarray(0, all.length / 2)]) };
  };
  const config = configFor("half", { DATABASE_URL: await emptyDatabase() });
  await refused(restoreChecked(config, good), /damaged[^]*The database has a part of the backup/);
  assert.ok(!existsSync(config.dataDir), "nothing is left of a folder that was not there");
  // Where the restore was killed, its mark is left.
  mkdirSync(config.dataDir);
  markFolder(config.dataDir);
  await refused(
    connectEmbedded({ dataDir: config.dataDir }),
    /was not restored completely into .*half/,
  );
  await refused(restoreChecked(config, good), /is not empty/);
  const sql = connect(config.database.url!, { max: 1, application: "test" });
  await refused(checkDatabase(sql, "postgres://x"), /was not restored completely/);
  await sql.end();
});

test("restore --check says in a sentence whether the backup is good, and ends with 1 where it is not", async () => {
  const env = { LOCAL_DOMAIN: host(), LOCAL_HTTPS: "false", DATA_DIR: join(folder, "nothing") };
  const check = (name: string, ...more: string[]) =>
    runCommand(env, ["restore", join(folder, name), "--check", ...more]);
  const good = await check("one.backup");
  assert.equal(good.code, 0, good.output);
  assert.match(good.output, /The backup is good: all of it was read, and nothing is missing\.$/);
  // Also beside a server that is there: what was typed is what is wrong.
  const full = { ...env, DATA_DIR: server.app.config.dataDir };
  const absent = await runCommand(full, ["restore", join(folder, "absent")]);
  assert.equal(absent.code, 1);
  assert.match(absent.output, /^rookery: There is no backup \S+absent\./);
  const lacking = place("lacking/");
  const { files } = await createBackup(server.app, server.databaseUrl, lacking, {
    passphrase: null,
  });
  assert.ok(files > 0);
  const [lost] = await Array.fromAsync(lacking.files.list("media/"), ({ key }) => key);
  await lacking.files.delete([lost!]);
  const bad = await check("lacking/");
  assert.equal(bad.code, 1);
  assert.match(bad.output, /1 media files were missing[^]*The backup is not whole/);
  assert.equal((await check("lacking/", "--json")).code, 1);
});

test("by the clock: only with BACKUP_TO, and when the last good one is old enough", async () => {
  const { app } = server;
  assert.equal(await isDue(app), false);
  app.config.backup = { ...app.config.backup, to: "/somewhere/", everyHours: 24 };
  assert.equal(await isDue(app), false, "one was just made");
  now = new Date(now.getTime() + 24 * 3_600_000);
  assert.equal(await isDue(app), true);
});

test("sealed: any length comes back, and nothing can be cut off or exchanged", async () => {
  const keys = createKeys("p");
  async function* once(bytes: Buffer) {
    yield bytes;
  }
  const all = async (source: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(source));
  const PIECE = 64 * 1024;
  for (const length of [0, 1, PIECE, PIECE + 1, 3 * PIECE]) {
    const plain = Buffer.alloc(length, 7);
    const sealed = await all(keys.seal(once(plain)));
    assert.equal(sealed.length, sealedSize(length));
    assert.ok(plain.equals(await all(keys.unseal(once(sealed), "x"))));
    for (const cut of [1, PIECE + 16]) {
      if (cut >= sealed.length) continue;
      await refused(all(keys.unseal(once(sealed.subarray(0, -cut)), "x")), /x (?:cannot|is not)/);
    }
  }
});
