// Makes a world ten times as large as any page shows: what a person, a thread and the server may have, at the limits of
// docs/LIMITS.md, with names and words of maximum length. It is made from a small world: a row of each table, as the
// product made it, is repeated by SQL with other keys.

import type { Tx } from "../src/platform/db/index.ts";

/** The people and things around which the world grows. */
export type Middle = {
  me: string;
  friend: string;
  /** Thread with posts of the friend's and of mine. */
  thread: string;
  own: string;
  list: string;
  filter: string;
  group: string;
};

/** Number of people who write, and of those who are hidden. */
const PEOPLE = 1000;
const SEVERAL = 2 * PEOPLE;
const LONG_TAG = "rpad('tag' || n || 'x', 255, 'x')";
const LONG_WORD = "repeat('Donaudampfschifffahrt', 23)";
/** A name of 30 visible characters, and 750 bytes. */
const LONG_NAME = "repeat('👨‍👩‍👧‍👦', 30)";

/**
 * Adds `rows` to a table, each like the first row that matches `like`, except for what is `set`: SQL in which `n`
 * counts the rows, `person` is a writer's account, `post` their answer in the thread, `hidden` somebody who is hidden,
 * and `o` the row.
 */
type Growth = {
  table: string;
  rows: number;
  set: Record<string, string>;
  like?: string;
  where?: string;
};

const people = ({ friend }: Middle): Growth[] => {
  const like = `account_id = ${friend}`;
  const account = (id: string, name: string): Growth => ({
    table: "accounts",
    rows: PEOPLE,
    like: `id = ${friend}`,
    set: {
      id,
      username: `rpad('${name}' || n, 30, 'x')`,
      domain: "CASE WHEN n % 2 = 0 THEN 'h' || n % 100 || '.example' END",
      uri: `'https://h.example/${name}' || n`,
      url: `'https://h.example/@${name}' || n`,
      inbox_url: `'https://h.example/${name}' || n || '/inbox'`,
      display_name: LONG_NAME,
      note: LONG_WORD,
      note_html: `'<p>' || ${LONG_WORD} || '</p>'`,
    },
  });
  return [
    account("person", "p"),
    account("hidden", "q"),
    { table: "account_stats", rows: PEOPLE, like, set: { account_id: "person" } },
    { table: "account_stats", rows: PEOPLE, like, set: { account_id: "hidden" } },
    {
      table: "users",
      rows: PEOPLE,
      like,
      where: "g.n % 2 = 1",
      set: {
        account_id: "person",
        email: "'p' || n || '@mail.example'",
      },
    },
  ];
};

const posts = ({ me, friend, thread, own }: Middle): Growth[] => {
  const text = { text: LONG_WORD, content: `'<p>' || ${LONG_WORD} || '</p>'` };
  const uri = (kind: string) => ({
    uri: `'https://h.example/${kind}/' || n`,
    url: `'https://h.example/@${kind}/' || n`,
  });
  return [
    // These are older than what others wrote, so that homes and lists begin with that.
    {
      table: "statuses",
      rows: PEOPLE,
      like: `id = ${own}`,
      set: { ...text, ...uri("own"), id: "snowflake()" },
    },
    {
      table: "statuses",
      rows: PEOPLE,
      like: "reblog_of_id IS NOT NULL",
      set: { ...uri("boosts"), id: "snowflake()", account_id: "person", reblog_of_id: own },
    },
    {
      table: "statuses",
      rows: PEOPLE,
      like: `id = ${thread}`,
      set: {
        ...text,
        ...uri("answers"),
        id: "post",
        account_id: "person",
        in_reply_to_id: thread,
        in_reply_to_account_id: friend,
      },
    },
    {
      table: "statuses",
      rows: PEOPLE,
      like: `id = ${thread}`,
      set: { ...text, ...uri("friend"), id: "snowflake()" },
    },
    { table: "mentions", rows: PEOPLE, set: { status_id: "post", account_id: me } },
    { table: "statuses_tags", rows: PEOPLE, set: { status_id: "post" } },
    { table: "favourites", rows: PEOPLE, set: { account_id: "person", status_id: own } },
    { table: "favourites", rows: PEOPLE, set: { account_id: me, status_id: "post" } },
    { table: "bookmarks", rows: PEOPLE, set: { account_id: me, status_id: "post" } },
    { table: "status_edits", rows: 99, set: {} },
    { table: "event_answers", rows: PEOPLE, set: { account_id: "person" } },
  ];
};

const relations = ({ me, friend }: Middle): Growth[] => {
  const both = (table: string, account_id: string, target_account_id: string): Growth => ({
    table,
    rows: PEOPLE,
    set: { account_id, target_account_id },
  });
  return [
    both("follows", me, "person"),
    both("follows", "person", me),
    both("follows", friend, "person"),
    both("follows", "person", friend),
    both("follow_requests", "hidden", me),
    both("blocks", me, "hidden"),
    both("mutes", me, "hidden"),
    both("endorsements", me, "person"),
    both("account_notes", me, "person"),
    {
      table: "severed_relationships",
      rows: PEOPLE,
      like: "direction = 'followed'",
      set: { other_account_id: "person" },
    },
    {
      table: "severed_relationships",
      rows: PEOPLE,
      like: "direction = 'follower'",
      set: { other_account_id: "person" },
    },
    {
      table: "account_domain_blocks",
      rows: PEOPLE,
      set: { account_id: me, domain: "'d' || n || '.example'" },
    },
  ];
};

/** Rows that belong to the test person. */
const belongings = ({ me, list, filter }: Middle): Growth[] => [
  { table: "lists", rows: 45, set: { account_id: me, title: "rpad('list ' || n, 256, 'x')" } },
  {
    table: "list_accounts",
    rows: PEOPLE,
    like: `list_id = ${list}`,
    set: { account_id: "person" },
  },
  {
    table: "filters",
    rows: 480,
    like: `id = ${filter}`,
    set: { title: "rpad('filter ' || n, 256, 'x')" },
  },
  {
    table: "filter_keywords",
    rows: 1990,
    set: { filter_id: filter, keyword: "'word' || n" },
  },
  { table: "filter_statuses", rows: PEOPLE, set: { filter_id: filter, status_id: "post" } },
  {
    table: "drafts",
    rows: 90,
    like: `account_id = ${me}`,
    set: {
      statuses:
        "to_jsonb(array_fill((first.o).statuses -> 0 || jsonb_build_object('status', repeat('draft ', 800)), ARRAY[20]))",
    },
  },
  { table: "saved_searches", rows: 95, set: { account_id: me, q: "rpad('word' || n, 500, 'x')" } },
  { table: "scheduled_statuses", rows: 290, set: { account_id: me } },
  { table: "tags", rows: SEVERAL, set: { name: LONG_TAG, display_name: LONG_TAG } },
  {
    table: "tag_follows",
    rows: SEVERAL,
    set: {
      account_id: me,
      tag_id: `(SELECT id FROM tags WHERE name = ${LONG_TAG})`,
    },
  },
  {
    table: "tag_mutes",
    rows: 190,
    set: {
      account_id: me,
      tag_id: `(SELECT id FROM tags WHERE name = ${LONG_TAG})`,
    },
  },
];

const told = ({ me }: Middle): Growth[] => [
  {
    table: "notifications",
    rows: PEOPLE,
    like: `account_id = ${me} AND type = 'mention'`,
    set: { from_account_id: "person", status_id: "post" },
  },
  {
    table: "notification_requests",
    rows: PEOPLE,
    set: { account_id: me, from_account_id: "hidden" },
  },
];

const staff = ({ me, group }: Middle): Growth[] => [
  {
    table: "reports",
    rows: PEOPLE,
    like: "action_taken_at IS NULL",
    set: { account_id: "person" },
  },
  { table: "strikes", rows: PEOPLE, set: { target_account_id: me } },
  { table: "domain_blocks", rows: PEOPLE, set: { domain: "'blocked' || n || '.example'" } },
  { table: "domain_allows", rows: PEOPLE, set: { domain: "'allowed' || n || '.example'" } },
  { table: "email_domain_blocks", rows: PEOPLE, set: { domain: "'mail' || n || '.example'" } },
  { table: "ip_blocks", rows: PEOPLE, set: { ip: "set_masklen('10.0.0.0'::inet + n * 256, 24)" } },
  { table: "announcements", rows: 100, set: {} },
  { table: "rules", rows: 95, set: { text: "rpad('rule ' || n, 1000, ' x')" } },
  { table: "custom_emojis", rows: PEOPLE, set: { shortcode: "rpad('emoji' || n, 128, 'x')" } },
  { table: "audit_log", rows: PEOPLE, set: {} },
  { table: "group_posts", rows: PEOPLE, set: { group_id: group, status_id: "post" } },
  { table: "follows", rows: PEOPLE, set: { account_id: "person", target_account_id: group } },
  { table: "sessions", rows: PEOPLE, set: { token_hash: "sha256(n::text::bytea)" } },
];

const growthOf = (middle: Middle): Growth[] =>
  [people, posts, relations, belongings, told, staff].flatMap((part) => part(middle));

type Column = { name: string; byDefault: string | null };

const columnsOf = (tx: Tx, table: string) => tx<Column[]>`
  SELECT column_name AS name, column_default AS "byDefault" FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = ${table} AND is_generated = 'NEVER' AND is_identity = 'NO'
`;

const grow = async (
  tx: Tx,
  { table, rows, set, like = "true", where = "true" }: Growth,
): Promise<void> => {
  const columns = await columnsOf(tx, table);
  const id = columns.find(({ name, byDefault }) => name === "id" && byDefault !== null);
  const values = { ...(id && { id: id.byDefault! }), ...set };
  const members = Object.entries(values).map(([name, sql]) => `'${name}', ${sql}`);
  const { count } = await tx.unsafe(`
    INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")})
    SELECT ${columns.map(({ name }) => `r.${name}`).join(", ")}
    FROM (SELECT o FROM ${table} o WHERE ${like} LIMIT 1) first, grown g,
      LATERAL jsonb_populate_record(first.o, jsonb_build_object('_row', g.n, ${members.join(", ")})) r
    WHERE g.n <= ${rows} AND ${where}
    ON CONFLICT DO NOTHING
  `);
  if (count < rows / 3) throw new Error(`${table} grew by ${count} rows, not by ${rows}.`);
};

/** Grows the world in a transaction while the server is stopped, which is not notified of these rows. */
export const growWorld = async (tx: Tx, middle: Middle): Promise<void> => {
  await tx`
    CREATE TEMP TABLE grown ON COMMIT DROP AS
    SELECT n, snowflake() AS person, snowflake() AS hidden, snowflake() AS post FROM generate_series(1, ${SEVERAL}::int) n
  `;
  for (const growth of growthOf(middle)) {
    await grow(tx, growth);
  }
};
