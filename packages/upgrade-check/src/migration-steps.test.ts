// What a migration does to tables is read from its SQL.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { stepsOf } from "./migration-steps.ts";

/** `rewrite statuses, blocking, takes away` */
const told = (sql: string): string[] =>
  stepsOf(sql).map(({ work, table, isBlocking, takesAway }) =>
    [`${work} ${table ?? "-"}`, isBlocking && "blocking", takesAway && "takes away"]
      .filter(Boolean)
      .join(", "),
  );

const CASES: [sql: string, ...expected: string[]][] = [
  ["CREATE TABLE t (id bigint PRIMARY KEY, a text REFERENCES b (c));", "instant -"],
  ["-- ALTER TABLE t DROP COLUMN a;\nCREATE INDEX i ON t (a, b) WHERE c;", "read t, blocking"],
  ["CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON t (lower(a))", "read t"],
  [
    "ALTER TABLE t ADD COLUMN a text, ADD COLUMN b int NOT NULL DEFAULT 0",
    "instant t",
    "instant t",
  ],
  ["ALTER TABLE t ADD COLUMN a timestamptz NOT NULL DEFAULT now()", "instant t"],
  ["ALTER TABLE t ADD COLUMN a bigint NOT NULL DEFAULT snowflake()", "rewrite t, blocking"],
  ["ALTER TABLE t ADD COLUMN a int GENERATED ALWAYS AS (f(b, c)) STORED", "rewrite t, blocking"],
  ["ALTER TABLE t ADD COLUMN a bigint REFERENCES u (id)", "read t, blocking"],
  ["ALTER TABLE t ALTER COLUMN a TYPE bigint USING f(a, b)", "rewrite t, blocking, takes away"],
  ["ALTER TABLE t ALTER COLUMN a SET NOT NULL", "read t, blocking, takes away"],
  ["ALTER TABLE t ALTER COLUMN a DROP NOT NULL", "instant t"],
  ["ALTER TABLE t ALTER COLUMN a DROP DEFAULT", "instant t, takes away"],
  ["ALTER TABLE t DROP COLUMN a", "instant t, takes away"],
  ["ALTER TABLE t RENAME COLUMN a TO b", "instant t, takes away"],
  ["ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0 AND b <> ';')", "read t, blocking, takes away"],
  ["ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) NOT VALID", "instant t, takes away"],
  ["DROP TABLE t", "instant -, takes away"],
  ["UPDATE t SET a = 1 WHERE b", "rows t, blocking"],
  ["INSERT INTO t (a) SELECT a FROM u", "read u"],
  ["INSERT INTO t (a) VALUES (1), (2)", "instant -"],
  ["CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM t; END $$;", "instant -"],
];

for (const [sql, ...expected] of CASES) {
  test(sql, () => assert.deepEqual(told(sql), expected));
}

test("every migration that there is can be read", () => {
  const folder = new URL("../../../migrations/", import.meta.url);
  for (const name of readdirSync(folder)) {
    const steps = stepsOf(readFileSync(new URL(name, folder), "utf8"));
    assert.ok(steps.length > 0, name);
  }
  assert.throws(() => stepsOf("VACUUM FULL t"), /unknown statement of a migration/);
});
