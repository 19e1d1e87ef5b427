// An import that is interrupted goes on, and a later pass takes what changed, whatever it was.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { ENV_FILE, startOldServer } from "../test/old-server.ts";
import type { OldServer } from "../test/old-server.ts";
import type { Sql } from "../../../src/platform/db/index.ts";
import { checkImport } from "./check.ts";
import { readOldEnv } from "./env.ts";
import { connectOld, moveIn } from "./move-in.ts";
import { openOldMedia } from "./old-media.ts";
import { planImport } from "./plan.ts";

let server: TestApp;
let old: OldServer;
let reading: Sql;
let drop: () => Promise<void>;

before(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  old = await startOldServer(database.url);
  server = await startTestApp({
    databaseUrl: database.url,
    env: { LOCAL_DOMAIN: "old.test", LOCAL_HTTPS: "true" },
    checked: false,
    worker: false,
  });
  reading = await connectOld(old.url);
});

after(async () => {
  await reading?.end();
  await server?.close();
  await old?.close();
  await drop?.();
});

const env = readOldEnv(ENV_FILE);

const pass = (onBatch?: () => void, rowsAtOnce = 40) =>
  moveIn(
    server.app,
    { old: reading, env, media: openOldMedia(server.app.config, env, old.media), rowsAtOnce },
    onBatch,
  );

class Interrupted extends Error {}

const counts = async (): Promise<Record<string, number>> => {
  const [row] = await server.app.sql`
    SELECT (SELECT count(*) FROM accounts)::int AS accounts, (SELECT count(*) FROM statuses)::int AS statuses,
      (SELECT count(*) FROM mentions)::int AS mentions, (SELECT count(*) FROM favourites)::int AS favourites,
      (SELECT count(*) FROM follows)::int AS follows, (SELECT count(*) FROM notifications)::int AS notifications,
      (SELECT sum(count) FROM notification_groups)::int AS grouped,
      (SELECT sum(followers) FROM follower_digests)::int AS digested
  `;
  return row as Record<string, number>;
};

test("the plan says what is lost, and what is not known", async () => {
  await old.sql`CREATE TABLE newer_things (id bigint)`;
  await old.sql`INSERT INTO newer_things VALUES (1)`;
  const plan = await planImport(reading, openOldMedia(server.app.config, env, old.media));
  assert.deepEqual(plan.unknown, [{ what: "the table newer_things", rows: 1 }]);
  const lost = plan.lost.map(({ what }) => what);
  assert.ok(lost.some((what) => what.startsWith("relays that were")));
  assert.equal(plan.taken.find(({ from }) => from === "favourites")?.rows, 32);
  assert.ok(plan.fileBytes > 0);
  assert.deepEqual(await counts().then(({ accounts }) => accounts), 0);
});

test("an import that ends at any batch goes on with the next", async () => {
  for (const last of [1, 2, 5, 12, 25]) {
    let batches = 0;
    const interrupted = pass(() => {
      batches += 1;
      if (batches === last) throw new Interrupted();
    });
    await assert.rejects(interrupted, Interrupted);
  }
  const moved = await pass();
  assert.equal(moved.pass, 1);
  assert.deepEqual(
    moved.steps.filter(({ fault }) => fault !== null),
    [],
  );
  const { faults, compared } = await checkImport(server.app, {
    old: reading,
    env,
    media: openOldMedia(server.app.config, env, old.media),
  });
  assert.deepEqual(faults, []);
  assert.ok(compared > 900, `only ${compared} rows were compared`);
});

test("the check says what is not as it is there", async () => {
  const media = openOldMedia(server.app.config, env, old.media);
  const check = () => checkImport(server.app, { old: reading, env, media });
  await server.app.sql.begin(async (tx) => {
    await tx`DELETE FROM bookmarks WHERE id = (SELECT min(id) FROM bookmarks)`;
    await tx`UPDATE statuses SET spoiler_text = 'other' WHERE id = 117666252144496523`;
  });
  const { faults, counted } = await check();
  assert.ok(counted > 40, `only ${counted} tables were counted`);
  assert.equal(faults.length, 3, faults.join("\n"));
  assert.match(faults[0]!, /^bookmarks: 13 rows there, 12 here$/);
  assert.ok(faults.includes("statuses 117666252144496523 differs in spoiler_text"));
  await old.sql`UPDATE bookmarks SET updated_at = now()`;
  await old.sql`UPDATE statuses SET updated_at = now() WHERE id = 117666252144496523`;
  await pass();
  assert.deepEqual((await check()).faults, []);
});

test("a second pass that finds no change changes nothing", async () => {
  const first = await counts();
  assert.equal((await pass()).pass, 3);
  assert.deepEqual(await counts(), first);
});

test("a later pass takes what is new, changed and gone", async () => {
  const first = await counts();
  const [edited, gone, added] = ["117666252144496523", "117666252161874310", "117999999999000001"];
  await old.sql`UPDATE statuses SET text = 'changed #dogs', edited_at = now(), updated_at = now() WHERE id = ${edited!}`;
  await old.sql`UPDATE accounts SET display_name = 'Alice now', updated_at = now() WHERE username = 'alice' AND domain IS NULL`;
  await old.sql`DELETE FROM statuses WHERE id = ${gone!}`;
  await old.sql`
    INSERT INTO statuses (id, uri, text, created_at, updated_at, visibility, local, account_id)
    SELECT ${added!}, ${`https://old.test/users/alice/statuses/${added}`}, 'new', now(), now(), 0, true, account_id
    FROM statuses WHERE id = ${edited!}
  `;
  const [favourite] =
    await old.sql`DELETE FROM favourites WHERE id = (SELECT max(id) FROM favourites) RETURNING id`;
  assert.equal((await pass()).pass, 4);
  const { json: status } = await server.visitor.get(`/api/v1/statuses/${edited}`);
  assert.match(status.content, /changed/);
  assert.equal(status.account.display_name, "Alice now");
  assert.equal((await server.visitor.get(`/api/v1/statuses/${gone}`)).status, 404);
  assert.equal((await server.visitor.get(`/api/v1/statuses/${added}`)).json.content, "<p>new</p>");
  const left = await server.app.sql`SELECT FROM favourites WHERE id = ${favourite!["id"]}`;
  assert.equal(left.length, 0);
  assert.equal((await counts())["statuses"], first["statuses"]);
});

test("no pass is begun where somebody has lived since", async () => {
  const [user] = await server.app.sql`SELECT id FROM users LIMIT 1`;
  await server.app.sql`
    INSERT INTO sessions (token_hash, user_id) VALUES ('\\x00', ${user!["id"]})
  `;
  await assert.rejects(pass(), /has run since the import/);
});
