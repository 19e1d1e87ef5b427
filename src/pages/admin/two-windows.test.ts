// Two windows with the same form of the staff: whoever saves second is told, sees what is saved beside what was entered,
// and may replace it. Every form that changes something is here, so that none saves over what nobody has seen.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startProvider } from "../../../test/fasp-provider.ts";
import type { Provider } from "../../../test/fasp-provider.ts";
import type { TestApp } from "../../../test/harness.ts";
import { listRoutes } from "../../../test/security/routes.ts";
import { openStaffWorld, report } from "../../../test/staff-world.ts";
import type { StaffWorld } from "../../../test/staff-world.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { confirmProvider } from "../../federation/fasp/providers.ts";
import { TOPICS } from "./settings-topics.ts";

let world: StaffWorld;
let provider: Provider;

before(async () => {
  [world, provider] = await Promise.all([openStaffWorld(), startProvider()]);
});
after(async () => {
  await world.t.close();
  await provider.close();
});

/** The id of what was made, or its row. */
type Made = string | readonly Record<string, unknown>[];

type Case = {
  page?: string;
  /** By which the page shows the form. */
  query?: string;
  /** Makes what is edited. */
  made?: () => PromiseLike<Made>;
  /** Saves it elsewhere, after the form was drawn. */
  changed: (id: string) => PromiseLike<unknown>;
  /** What is entered meanwhile. */
  mine: Record<string, string>;
  /** What of it is shown again, and what is said to be saved. */
  kept: RegExp;
  now: string;
  /** The same as what was saved elsewhere. */
  same: Record<string, string>;
};

const sql: TestApp["write"] = (...parts) => world.t.write(...parts);

const NAMED = { name: "Keepers", position: "2" };

const CASES: Record<string, Case> = {
  "/admin/roles/:id/update": {
    made: () =>
      sql`INSERT INTO roles (name, permissions, position) VALUES ('Keepers', 65536, 2) RETURNING id`,
    changed: (id) => sql`UPDATE roles SET color = '#123456' WHERE id = ${id}`,
    mine: { ...NAMED, color: "#abcdef" },
    kept: /value="#abcdef"/,
    now: "#123456",
    same: { ...NAMED, color: "#123456" },
  },
  "/admin/roles/everybody": {
    changed: () => sql`UPDATE roles SET permissions = 0 WHERE id = -99`,
    mine: { may_invite_users: "1" },
    kept: /name="may_invite_users"[^>]* checked/,
    now: "off",
    same: {},
  },
  "/admin/rules/:id/update": {
    query: "edit=ID",
    made: () => sql`INSERT INTO rules (text) VALUES ('Be kind.') RETURNING id`,
    changed: (id) => sql`UPDATE rules SET text = 'Be good.' WHERE id = ${id}`,
    mine: { text: "Be nice." },
    kept: /value="Be nice\."/,
    now: "Be good.",
    same: { text: "Be good." },
  },
  "/admin/announcements/:id/update": {
    made: () => sql`
      INSERT INTO announcements (text, published_at, created_at, updated_at)
      VALUES ('Tea at five.', now(), now(), now()) RETURNING id`,
    changed: (id) => sql`UPDATE announcements SET text = 'Tea at six.' WHERE id = ${id}`,
    mine: { text: "Tea at four." },
    kept: />Tea at four\.<\/textarea>/,
    now: "Tea at six.",
    same: { text: "Tea at six." },
  },
  "/admin/webhooks/:id/update": {
    made: () => sql`
      INSERT INTO webhooks (url, events, secret)
      VALUES ('https://hook.example/', '{account.created}', 'x') RETURNING id`,
    changed: (id) => sql`UPDATE webhooks SET events = '{account.approved}' WHERE id = ${id}`,
    mine: { "on_report.created": "1" },
    kept: /name="on_report\.created"[^>]* checked/,
    now: "on",
    same: { "on_account.approved": "1" },
  },
  "/admin/domains/:id/update": {
    page: "/admin/domains",
    // It is on the second page of the list.
    made: async () => {
      const [made] = await sql`
        INSERT INTO domain_blocks (domain, severity) VALUES ('loud.example', 'silence') RETURNING id`;
      await sql`
        INSERT INTO domain_blocks (domain, severity)
        SELECT n || '.example', 'noop' FROM generate_series(1, 60) AS n`;
      return String(made!["id"]);
    },
    query: "q=loud.example",
    changed: (id) => sql`UPDATE domain_blocks SET public_comment = 'Spam' WHERE id = ${id}`,
    mine: { severity: "silence", public_comment: "Noise" },
    kept: /value="Noise"/,
    now: "Spam",
    same: { severity: "silence", public_comment: "Spam" },
  },
  "/admin/domains/lists/:id/update": {
    made: () => sql`
      INSERT INTO domain_lists (url, title, severities, due_at, created_at)
      VALUES ('https://list.example/', 'Worst', '{"suspend":"suspend","silence":"silence","noop":"skip"}',
        now(), now())
      RETURNING id`,
    changed: (id) => sql`UPDATE domain_lists SET title = 'Bad' WHERE id = ${id}`,
    mine: { title: "Ugly", retract: "1" },
    kept: /value="Ugly"/,
    now: "Bad",
    same: { title: "Bad", retract: "1" },
  },
  "/admin/domains/fasp/:id/update": {
    made: async () => {
      await provider.register(world.t.url);
      await confirmProvider(world.t.app, COMMAND_LINE, provider.state.id);
      return provider.state.id;
    },
    changed: (id) => sql`
      UPDATE fasp_providers SET capabilities = (
        SELECT jsonb_agg(each || jsonb_build_object('enabled', each->>'id' = 'trends') ORDER BY n)
        FROM jsonb_array_elements(capabilities) WITH ORDINALITY AS all_of(each, n)
      ) WHERE id = ${id}`,
    mine: { account_search: "1" },
    kept: /name="account_search"[^>]* checked/,
    now: "on",
    same: { trends: "1" },
  },
  "/admin/reports/:id/correct": {
    page: "/admin/reports/ID",
    made: () => report(world.bob, world.alice),
    changed: (id) => sql`UPDATE reports SET category = 'legal' WHERE id = ${id}`,
    mine: { category: "spam" },
    kept: /value="spam" selected/,
    now: "Illegal",
    same: { category: "legal" },
  },
};

/** Tested where their providers are (settings-sign-in.test.ts). */
const ELSEWHERE = ["/admin/settings/sign-in/:id/update"];

test("every form of the staff that changes an entry is here, and those of the settings have a mark", async () => {
  const { t, owner } = world;
  const routes = await listRoutes(t.app);
  const edits = routes.flatMap(({ method, url }) =>
    method === "POST" && /^\/admin\/.*\/(?:update|correct|everybody)$/.test(url) ? url : [],
  );
  assert.deepEqual(edits.toSorted(), [...Object.keys(CASES), ...ELSEWHERE].toSorted());
  for (const topic of Object.keys(TOPICS)) {
    const path = `/admin/settings/${topic}`;
    const form = (await owner.get(path)).text.split(`action="${path}"`)[1] ?? "";
    assert.match(form.split("</form>")[0]!, /name="drawn" value="[\w-]{43}"/, topic);
  }
});

for (const [route, each] of Object.entries(CASES))
  test(`what was saved elsewhere is seen before it is replaced: ${route}`, async () => {
    const { owner } = world;
    const made = await each.made?.();
    const id = typeof made === "string" ? made : String(made?.[0]?.["id"] ?? "");
    const action = route.replace(":id", id);
    const page = each.page?.replace("ID", id) ?? route.replace(/\/(?::id\/)?\w+$/, "");
    const drawn = await owner.get(`${page}?${each.query?.replace("ID", id) ?? ""}`);
    await each.changed(id);

    const late = await owner.submit(drawn, action, each.mine);
    assert.equal(late.status, 422, late.text);
    assert.match(late.text, /This was saved elsewhere since you opened it/);
    assert.match(late.text, each.kept);
    assert.ok(late.text.includes(`Saved now: ${each.now}`), late.text);
    assert.ok(late.text.includes(`href="${action}"`));
    const discarded = await owner.get(action);
    assert.equal(discarded.headers.get("location"), page);

    // What is equal to what is saved undoes nothing.
    assert.equal((await owner.submit(drawn, action, each.same)).status, 302);
    // Whoever has seen it replaces it.
    assert.equal((await owner.submit(late, action, each.mine)).status, 302);
  });

test("the address of any form leads to the page that has it, and others lead nowhere", async () => {
  const { owner } = world;
  for (const [address, page] of [
    ["/admin/roles/1/delete", "/admin/roles"],
    ["/admin/accounts/7/notes?x=1", "/admin/accounts/7"],
    ["/admin/settings/look/icon/remove", "/admin/settings/look"],
    ["/admin/notes/1/delete", "/admin"],
  ] as const) {
    const answer = await owner.get(address);
    assert.equal(answer.status, 302, address);
    assert.equal(answer.headers.get("location"), page, address);
  }
  assert.equal((await owner.get("/admin/roles/1/updates")).status, 404);
});
