// Notes on reports that an import of an earlier version stored with the report's number in their text.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { databaseBefore } from "../../../../test/database.ts";

let database: Awaited<ReturnType<typeof databaseBefore>>;

before(async () => {
  database = await databaseBefore("0371");
});
after(() => database.drop());

test("become notes on the report, and what somebody wrote here stays as it is", async () => {
  const { sql } = database;
  await sql`
    INSERT INTO accounts (id, username, domain, uri, url)
    VALUES (1, 'a', 'far.example', 'https://far.example/a', ''), (2, 'b', 'far.example', 'https://far.example/b', '')`;
  await sql`
    INSERT INTO reports (id, account_id, target_account_id, comment) VALUES (4, 1, 2, ''), (41, 2, 1, '')`;
  await sql`
    INSERT INTO account_remarks (id, target_account_id, text, created_at)
    VALUES (1, 2, '#4: of an account', now()),
      (1000000000001, 2, ${"#4: looked\n#41: at it"}, now()), (1000000000002, 1, '#41: this, too', now()),
      (1000000000003, 1, '#4: of another account', now()), (117666255917460914, 2, '#4: by hand', now())`;
  await database.upgrade();
  const rows = await sql`SELECT report_id, text FROM account_remarks ORDER BY id`;
  assert.deepEqual(
    rows.map(({ report_id: on, text }) => [on, text]),
    [
      [null, "#4: of an account"],
      ["4", "looked\n#41: at it"],
      ["41", "this, too"],
      [null, "#4: of another account"],
      [null, "#4: by hand"],
    ],
  );
});
