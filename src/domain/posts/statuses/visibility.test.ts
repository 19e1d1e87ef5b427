// Who may see a status is the same in TypeScript and in SQL: every visibility, relation of the viewer
// to the author and mention, of posts and of boosts of each, compared for everybody who looks.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { FACTS } from "../../../../test/visibility-facts.ts";
import type { Fragment, Tx } from "../../../platform/db/index.ts";
import { asActor, asPerson, NOBODY } from "../../../platform/viewer.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import * as fragments from "./fragments.ts";
import { loadStatuses } from "./load.ts";
import { canSee, isAddressed } from "./rules.ts";
import type { StatusView } from "./tables.ts";
import { VISIBILITIES } from "./visibility.ts";
import * as visibility from "./visibility.ts";
import type { Visibility, VisibilityFacts } from "./visibility.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t.close());

const REMOTE = "remote.example";

const account = async (
  sql: Tx,
  username: string,
  domain: string | null = null,
): Promise<string> => {
  const uri = `https://${domain ?? "here"}/${username}`;
  const row = { username, domain, uri, url: uri };
  const [inserted] = await sql<{ id: string }[]>`
    INSERT INTO accounts ${sql(row)} RETURNING id
  `;
  return inserted!.id;
};

const AUDIENCES = ["world", "here", "elsewhere"] as const;
const BOOLEANS = [false, true];

type Author = { suspended: boolean; followed: boolean; blocks: boolean };
const STANDS: Author[] = BOOLEANS.flatMap((suspended) =>
  BOOLEANS.flatMap((followed) => BOOLEANS.map((blocks) => ({ suspended, followed, blocks }))),
);

/** An author who stands so to each of the viewers. */
const author = async (sql: Tx, name: string, how: Author, viewers: string[]): Promise<string> => {
  const id = await account(sql, name);
  if (how.suspended) await sql`UPDATE accounts SET suspended_at = now() WHERE id = ${id}`;
  for (const viewer of viewers) {
    const follow = { account_id: viewer, target_account_id: id };
    if (how.followed) await sql`INSERT INTO follows ${sql(follow)}`;
    const block = { account_id: id, target_account_id: viewer };
    if (how.blocks) await sql`INSERT INTO blocks ${sql(block)}`;
  }
  return id;
};

type Row = VisibilityFacts & {
  id: string;
  account_id: string;
  reblog_of_id: string | null;
  awaits_approval: boolean;
};
type Mention = { status_id: string; account_id: string; silent: boolean };

/** In the order in which they come to be. */
const FIRST_ID = BigInt(Date.UTC(2024, 0, 1)) << 16n;
let number = 0n;
const nextId = (): string => String(FIRST_ID + number++);

/**
 * Of one author: each of FACTS, with nobody, with all of the viewers mentioned, in silence too, and waiting for
 * approval.
 */
const postsOf = (account_id: string, viewers: string[]) =>
  FACTS.flatMap((facts) =>
    [
      { silent: null, awaits_approval: false },
      { silent: false, awaits_approval: false },
      { silent: true, awaits_approval: false },
      { silent: false, awaits_approval: true },
    ].map(({ silent, awaits_approval }) => {
      const row: Row = { id: nextId(), account_id, reblog_of_id: null, awaits_approval, ...facts };
      const named = silent === null ? [] : viewers;
      const mentions = named.map((id): Mention => ({
        status_id: row.id,
        account_id: id,
        silent: silent!,
      }));
      return { row, mentions };
    }),
  );

/** Everybody boosts everything, in all the ways in turn. */
const boostsOf = (account_id: string, n: number, posts: Row[]): Row[] =>
  posts.map(({ id }, m) => ({
    id: nextId(),
    account_id,
    reblog_of_id: id,
    awaits_approval: m % 7 === 0,
    ...FACTS[(n + m) % FACTS.length]!,
  }));

const insert = async (sql: Tx, rows: Row[], mentions: Mention[]): Promise<void> => {
  const whole = rows.map((row) => ({
    ...row,
    uri: `https://here/posts/${row.id}`,
    local: true,
    created_at: new Date(),
  }));
  for (let at = 0; at < whole.length; at += 500) {
    await sql`INSERT INTO statuses ${sql(whole.slice(at, at + 500))}`;
  }
  await sql`INSERT INTO mentions ${sql(mentions)}`;
};

type World = { ids: string[]; viewers: Viewer[]; actors: Viewer[] };

const makeWorld = async (sql: Tx): Promise<World> => {
  const person = await account(sql, "person");
  const actor = await account(sql, "actor", REMOTE);
  const known = [person, actor];
  const authors = await Promise.all(STANDS.map((how, n) => author(sql, `author${n}`, how, known)));
  authors.push(person, actor);
  const posts = authors.flatMap((id) => postsOf(id, known));
  const rows = posts.map(({ row }) => row);
  const boosts = authors.flatMap((id, n) => boostsOf(id, n, rows));
  const all = [...rows, ...boosts];
  await insert(
    sql,
    all,
    posts.flatMap(({ mentions }) => mentions),
  );
  const actors = [asActor(actor), asActor(await account(sql, "stranger", REMOTE))];
  const stranger = asPerson(await account(sql, "nobody_special"));
  const ids = all.map(({ id }) => id);
  return { ids, actors, viewers: [NOBODY, asPerson(person), stranger, ...actors] };
};

const idsWhere = async (condition: Fragment): Promise<string[]> => {
  const rows = await t.app.sql<{ id: string }[]>`
    SELECT s.id FROM statuses s WHERE ${condition} ORDER BY s.id
  `;
  return rows.map(({ id }) => id);
};

const idsOf = (views: StatusView[]): string[] =>
  views.map(({ id }) => id).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));

describe("the table", () => {
  const facts = VISIBILITIES.map((visibility) => ({ visibility }));

  test("goes from the widest to the narrowest", () => {
    for (const choice of VISIBILITIES)
      for (const shown of facts) {
        const confined = visibility.confinedTo(shown, choice);
        assert.equal(visibility.narrower(confined, choice), confined);
      }
  });

  test("lists what the world may see, and lets everybody in who is in a wider audience", () => {
    for (const fact of facts) {
      const [world, here, elsewhere] = AUDIENCES.map((audience) =>
        visibility.openTo(audience, fact),
      );
      assert.ok(world || !visibility.listedPublicly(fact), fact.visibility);
      assert.ok(here || !world, fact.visibility);
      assert.ok(!elsewhere || visibility.federates(fact), fact.visibility);
    }
  });

  test("has no column with a default that decides who may see a status", async () => {
    const deciding = [...visibility.VISIBILITY_COLUMNS, "awaits_approval"];
    const rows = await t.app.sql`
      SELECT column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = 'statuses' AND column_name = ANY(${deciding})
        AND (column_default IS NOT NULL OR is_nullable = 'YES')`;
    assert.deepEqual([...rows], []);
  });

  test("confines what shows another post to those who may see that", () => {
    const confined = (shown: Visibility, target: Visibility) =>
      visibility.confinedTo({ visibility: shown }, target);
    assert.equal(confined("unlisted", "public"), "public");
    assert.equal(confined("private", "public"), "private");
    assert.equal(confined("private", "direct"), "direct");
  });
});

describe("the rules and the SQL agree", () => {
  let world: World;
  before(async () => {
    world = await t.fixture(makeWorld);
  });
  const load = (viewer: Viewer) => loadStatuses(t.app, world.ids, viewer);

  test("on what the visibility alone says", async () => {
    const { sql } = t.app;
    const views = await load(NOBODY);
    assert.equal(views.length, world.ids.length);
    const pairs = [
      ...AUDIENCES.map(
        (audience) =>
          [
            (view: StatusView) => visibility.openTo(audience, view),
            fragments.openTo(sql, audience),
          ] as const,
      ),
      [visibility.federates, fragments.federates(sql)],
      [visibility.listedPublicly, fragments.listedPublicly(sql)],
      [visibility.openToFollowers, fragments.openToFollowers(sql)],
    ] as const;
    for (const [rule, condition] of pairs)
      assert.deepEqual(await idsWhere(condition), idsOf(views.filter(rule)), String(rule));
  });

  test("on whom it is for, and who may see it", async () => {
    const seen = new Set<number>();
    for (const viewer of world.viewers) {
      const views = await load(viewer);
      const visible = idsOf(views.filter(canSee));
      seen.add(visible.length);
      assert.ok(visible.length > 0, viewer.kind);
      assert.deepEqual(
        await idsWhere(fragments.visibleTo(t.app.sql, viewer)),
        visible,
        viewer.kind,
      );
      const addressed = idsOf(views.filter(isAddressed));
      assert.deepEqual(await idsWhere(fragments.addressedTo(t.app.sql, viewer)), addressed);
    }
    assert.ok(seen.size >= 3, "the viewers see different things");
  });

  test("where the viewer is a column", async () => {
    for (const viewer of world.viewers) {
      if (viewer.kind === "nobody") continue;
      const { sql } = t.app;
      const { kind } = viewer;
      const column = fragments.visibleTo(sql, { kind, id: sql`r.id` });
      const rows = await sql<{ id: string }[]>`
        SELECT s.id FROM statuses s JOIN accounts r ON r.id = ${viewer.id}
        WHERE ${column} ORDER BY s.id
      `;
      const visible = idsOf((await load(viewer)).filter(canSee));
      assert.deepEqual(
        rows.map(({ id }) => id),
        visible,
      );
    }
  });

  test("on what is for somebody of another server", async () => {
    const each = await Promise.all(world.actors.map(load));
    const expected = new Set(each.flatMap((views) => idsOf(views.filter(isAddressed))));
    const rows = await idsWhere(fragments.addressedToServer(t.app.sql, REMOTE));
    assert.deepEqual(new Set(rows), expected);
  });
});
