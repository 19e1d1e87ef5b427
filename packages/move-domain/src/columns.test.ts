// No column in which addresses could be is forgotten by a move: each is rewritten, stays as it is for a reason, or holds
// none of this server.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { connect } from "../../../src/platform/db/index.ts";
import type { Sql } from "../../../src/platform/db/index.ts";
import { COLUMNS, KEPT } from "./columns.ts";

/** Addresses of other servers, of services and of pages; what people and the staff wrote; JSON without addresses. */
const WITHOUT = new Set(
  `
deliveries.inbox
domain_list_blocks.applied
domain_lists.severities domain_lists.url
early_deletes.actor_uri early_deletes.uri
fasp_providers.base_url fasp_providers.capabilities fasp_providers.privacy_url fasp_providers.sign_in_url
fasp_providers.wishes
findings.said
follower_digests.origin
import_rows.data
crypto_messages.body
imports.left_out imports.source
incoming_activities.actor_uri incoming_activities.subjects incoming_activities.uri
media_attachments.meta media_attachments.upload
moving_steps.after
oauth_apps.redirect_uris
oauth_codes.redirect_uri
preview_cards.card preview_cards.url
push_subscriptions.alerts
rules.translations
settings.value
spam_matches.post
spam_rules.conditions spam_rules.tried
scim_users.attributes
sso_providers.settings
status_edits.content_type
statuses.content_type
strikes.evidence
terms_of_service.content
trend_links.history trend_links.url
update_feed.feed
users.settings
webhooks.url
`
    .split(/\s+/)
    .filter(Boolean),
);

let database: { url: string; drop(): Promise<void> };
let sql: Sql;

before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 1, application: "tests" });
});
after(async () => {
  await sql?.end();
  await database?.drop();
});

const rewritten = COLUMNS.flatMap(({ table, uris = [], lists = [], html = [], json = [] }) =>
  [...uris, ...lists, ...html, ...json].map((column) => `${table}.${column}`),
);

test("every column that could have an address has been thought of", async () => {
  const rows = await sql<{ name: string; type: string }[]>`
    SELECT c.table_name || '.' || c.column_name AS name, c.data_type AS type
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND (c.data_type IN ('json', 'jsonb')
        OR c.data_type IN ('text', 'ARRAY') AND c.column_name ~ '(uri|url|inbox|origin|html|content|body|also_known_as)')`;
  const known = new Set([...rewritten, ...Object.keys(KEPT), ...WITHOUT]);
  const names = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    [...WITHOUT].filter((name) => !names.has(name)),
    [],
    "not there any more",
  );
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
  );
});

test("what is rewritten is there", async () => {
  for (const { table, ...columns } of COLUMNS) {
    const names = [columns.uris, columns.lists, columns.html, columns.json].flatMap((c) => c ?? []);
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM pg_attribute
      WHERE attrelid = to_regclass(${table}) AND attname = ANY(${names}::text[])`;
    assert.equal(row!.count, names.length, table);
  }
});
