// The watch over invalidation sees what it has to see; the harness uses it in every test with caches.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { invalidate } from "../src/platform/db/commits.ts";
import { startTestApp } from "./harness.ts";
import type { Person, TestApp } from "./harness.ts";

let t: TestApp;
let ada: Person;
let statusId: string;

before(async () => {
  t = await startTestApp();
  ada = await t.person("ada");
  const { json } = await ada.post("/api/v1/statuses", new URLSearchParams({ status: "Ink" }));
  statusId = json.id;
});
after(() => t.close());

const read = async (): Promise<string> =>
  (await ada.get(`/api/v1/statuses/${statusId}`)).json.content;

const touch = (sql: TestApp["app"]["sql"], content: string) =>
  sql`UPDATE statuses SET content = ${content} WHERE id = ${statusId}`;

test("what a fixture writes is read afterwards", async () => {
  assert.equal(await read(), "<p>Ink</p>");
  await t.fixture((sql) => sql`UPDATE statuses SET content = 'Quill' WHERE id = ${statusId}`);
  assert.equal(await read(), "Quill");
});

test("a statement that invalidates nothing is found, with its table and text", async () => {
  await touch(t.app.sql, "Nib");
  await assert.rejects(
    t.checkInvalidation(),
    new RegExp(
      `status:${statusId}, of which statuses has a part \\(UPDATE\\), by: UPDATE statuses SET content`,
    ),
  );
  await t.checkInvalidation();
});

test("so is a transaction, at the next request", async () => {
  await t.app.sql.begin(async (tx) => {
    await tx`INSERT INTO favourites (account_id, status_id) VALUES (${ada.accountId}, ${statusId})`;
    invalidate(tx, "status:1");
  });
  await assert.rejects(
    read(),
    new RegExp(`mark:${ada.accountId}/${statusId}, of which favourites has a part`),
  );
});

test("what was invalidated in its transaction, or after its statement, is right", async () => {
  await t.app.sql.begin(async (tx) => {
    await tx`DELETE FROM favourites WHERE status_id = ${statusId}`;
    invalidate(tx, `mark:${ada.accountId}/${statusId}`);
  });
  await touch(t.app.sql, "Sand");
  invalidate(t.app.sql, `status:${statusId}`);
  assert.equal(await read(), "Sand");
  await t.checkInvalidation();
});

test("what was rolled back, what changed nothing and what is new needs no invalidation", async () => {
  const failing = t.app.sql.begin(async (tx) => {
    await tx`UPDATE statuses SET content = 'Blot' WHERE id = ${statusId}`;
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  await touch(t.app.sql, "Sand");
  await t.app.sql.begin(async (tx) => {
    await tx`
      INSERT INTO accounts (id, username, domain, uri, url) VALUES (7, 'x', 'x.test', 'x:7', 'x:7')
    `;
    await tx`INSERT INTO account_stats (account_id, statuses_count) VALUES (7, 3)`;
  });
  await t.checkInvalidation();
});

test("an account that is deleted and made again is not new", async () => {
  await t.app.sql.begin(async (tx) => {
    await tx`DELETE FROM accounts WHERE id = 7`;
    await tx`
      INSERT INTO accounts (id, username, domain, uri, url) VALUES (7, 'y', 'x.test', 'x:7', 'x:7')
    `;
  });
  await assert.rejects(t.checkInvalidation(), /account:7/);
});
