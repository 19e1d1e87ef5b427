// A column that takes certain words has a CHECK of exactly those that its slice declares, from which commands, the API
// and the client's choices are made.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DOMAIN_SEVERITIES, IP_SEVERITIES } from "../src/domain/base/blocklists/tables.ts";
import { CHOICES as LIST_CHOICES } from "../src/domain/people/lists/fields.ts";
import { PROVIDER_KINDS } from "../src/domain/people/sso/tables.ts";
import { ROLES } from "../src/domain/people/users/identities/members.ts";
import { ANSWERS } from "../src/domain/posts/events/tables.ts";
import { ACTIONS } from "../src/domain/posts/filters/tables.ts";
import { VISIBILITIES } from "../src/domain/posts/statuses/visibility.ts";
import { CATEGORIES } from "../src/domain/reading/reports/tables.ts";
import { STRIKE_ACTIONS } from "../src/domain/reading/strikes/tables.ts";
import { TIMELINES } from "../src/domain/reading/timelines/marker-routes.ts";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { cloneDatabase } from "./database.ts";

const DECLARED: Record<string, readonly string[]> = {
  "account_access.kind": ["identity", ...ROLES],
  "domain_blocks.severity": DOMAIN_SEVERITIES,
  "event_answers.answer": ANSWERS,
  "filters.action": ACTIONS,
  "ip_blocks.severity": IP_SEVERITIES,
  "markers.timeline": TIMELINES,
  "reports.category": CATEGORIES,
  "sso_providers.kind": PROVIDER_KINDS,
  "statuses.visibility": VISIBILITIES,
  "strikes.action": STRIKE_ACTIONS,
  ...Object.fromEntries(
    Object.entries(LIST_CHOICES).map(([name, choices]) => [`lists.${name}`, choices]),
  ),
};

/** Columns whose words nobody chooses: the server writes them as things happen. */
const WRITTEN = /\.(?:state|change|direction)$|^media_attachments\.type$|^severance_events\.type$/;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: Sql;
before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 1, application: "tests" });
});
after(async () => {
  await sql.end();
  await database.drop();
});

/** The words of each column that has a CHECK of words. */
const readChecks = async (): Promise<Record<string, string[]>> => {
  const rows = await sql<{ name: string; check: string }[]>`
    SELECT c.conrelid::regclass || '.' || a.attname AS name, pg_get_constraintdef(c.oid) AS check
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'c' AND c.connamespace = 'public'::regnamespace AND cardinality(c.conkey) = 1`;
  const wordsIn = (check: string): string[] =>
    [...check.matchAll(/'([^']*)'::text/g)].map(([, word]) => word!);
  const words = rows.map(({ name, check }) => [name, wordsIn(check)] as const);
  return Object.fromEntries(words.filter(([, found]) => found.length > 0));
};

const sorted = (all: Record<string, readonly string[]>) =>
  Object.fromEntries(
    Object.entries(all)
      .map(([name, words]) => [name, words.toSorted()] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );

test("the CHECK of a column has the words that are declared for it, and no others", async () => {
  const chosen = Object.entries(await readChecks()).filter(([name]) => !WRITTEN.test(name));
  assert.deepEqual(
    sorted(Object.fromEntries(chosen)),
    sorted(DECLARED),
    "the CHECK of the migration and the words in the code (see DECLARED) are not the same",
  );
});
