// The queue of reports: an entry for each account, one decision about all that are open, what stands beside them, and
// what comes next.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import { eventually } from "../../../test/journeys/eventually.ts";
import { waitsForLock } from "../../../test/waits-for-lock.ts";
import { giveRole } from "../../domain/staff/moderation/accounts.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";
import { decideReports } from "../../domain/staff/moderation/reports.ts";
import { createRole, findRole } from "../../domain/base/roles/roles.ts";

let t: TestApp;
let mod: Browser;
const people: Record<string, Person> = {};

const QUEUE = "/admin/reports";

before(async () => {
  t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  people["mia"] = await t.person("mia", { role: "Moderator" });
  for (const name of ["ada", "ben", "cleo", "dan"]) people[name] = await t.person(name);
  mod = openBrowser(t);
  await mod.signIn("mia");
});
beforeEach(async () => {
  await t.write`
    UPDATE reports SET action_taken_at = now() WHERE action_taken_at IS NULL
  `;
});
after(() => t.close());

const idOf = (name: string): string => people[name]!.accountId;

const post = async (name: string, json: Record<string, unknown>): Promise<string> =>
  (await people[name]!.post("/api/v1/statuses", json)).json.id;

const report = async (
  by: string,
  about: string,
  json: Record<string, unknown> = {},
): Promise<string> =>
  (
    await people[by]!.post("/api/v1/reports", {
      account_id: idOf(about),
      comment: `${by} says`,
      ...json,
    })
  ).json.id;

/** The entries of the queue: who is reported, and the report that each leads to. */
const entries = ({ text }: Answer): string[] =>
  [...text.matchAll(/data-open href="\/admin\/reports\/(\d+)"[^]*?@(\w+)/g)].map(
    ([, id, name]) => `${name} ${id}`,
  );

const decide = async (id: string, values: Record<string, string>): Promise<Answer> => {
  const path = `${QUEUE}/${id}/decide`;
  const answer = await mod.submit(await mod.get(`${QUEUE}/${id}`), path, values);
  if (answer.status !== 200) return answer;
  const [, word] = /Type (\S+) to continue/.exec(answer.text) ?? [];
  return mod.submit(answer, path, word ? { confirmed_word: word } : {});
};

type Row = { id: string; open: boolean; action: string | null };

const stored = async (...ids: string[]): Promise<Row[]> => [
  ...(await t.app.sql<Row[]>`
    SELECT r.id, r.action_taken_at IS NULL AS open, s.action
    FROM reports r LEFT JOIN strikes s ON s.id = r.strike_id
    WHERE r.id = ANY(${ids}::bigint[]) ORDER BY r.id
  `),
];

const entryOf = async () =>
  (await t.app.sql`SELECT action, details FROM audit_log ORDER BY id DESC LIMIT 1`)[0]!;

describe("the queue", () => {
  test("has one entry for all open reports about an account, last reported first", async () => {
    const first = await report("ada", "ben", { category: "spam" });
    const other = await report("ada", "cleo");
    await mod.submit(await mod.get(`${QUEUE}/${first}`), `${QUEUE}/${first}/assign`, {});
    const last = await report("dan", "ben", { comment: "<again>" });
    const list = await mod.get(QUEUE);
    assert.deepEqual(entries(list), [`ben ${last}`, `cleo ${other}`]);
    assert.match(list.text, /2 reports[^]*?Other[^]*?Spam/);
    assert.match(list.text, /Last reported by @dan[^]*?assigned to @mia[^]*?“&lt;again>”/);
    assert.match(list.text, /data-keys hidden/);
    // The other one stands behind where the page before ended.
    assert.deepEqual(entries(await mod.get(`${QUEUE}?max_id=${last}`)), [`cleo ${other}`]);
    assert.deepEqual(entries(await mod.get(`${QUEUE}?max_id=${other}`)), []);
  });

  test("each of several reports about an account can be corrected, in a form that opens for it", async () => {
    const [first, last] = [await report("ada", "ben"), await report("dan", "ben")];
    const page = await mod.get(`${QUEUE}/${first}`);
    assert.doesNotMatch(page.text, /\/correct"/);
    for (const id of [first, last])
      assert.match(page.text, new RegExp(`href="\\?edit=${id}#edit">Change category`));
    const own = await mod.get(`${QUEUE}/${first}?edit=${last}`);
    assert.match(own.text, /<details class="edit" id="edit" open/);
    assert.doesNotMatch(own.text, new RegExp(`action="${QUEUE}/${first}/correct"`));
    const corrected = await mod.submit(own, `${QUEUE}/${last}/correct`, { category: "spam" });
    assert.equal(corrected.status, 302);
    assert.match((await mod.get(`${QUEUE}/${first}`)).text, /Spam[^]*@dan/);
  });

  test("costs as many statements for many accounts as for one", async () => {
    await report("ada", "ben");
    const single = await t.countQueries(() => mod.get(QUEUE));
    await report("ada", "cleo");
    await report("ada", "dan");
    const many = await t.countQueries(() => mod.get(QUEUE));
    assert.ok(many.queries <= single.queries, `${single.queries}, then ${many.queries}`);
  });

  test("resolved reports say what was decided, and by whom", async () => {
    await decide(await report("ada", "dan"), { decision: "none", text: "Please stop" });
    const quiet = await report("ada", "dan");
    await decide(quiet, { decision: "resolve" });
    const { text } = await mod.get(`${QUEUE}?resolved=1`);
    assert.match(text, /@dan[^]*Resolved without action · by @mia[^]*@dan[^]*Warned · by @mia/);
  });
});

describe("one decision", () => {
  test("leads to what is next in the queue, also from an older report, and then to its beginning", async () => {
    const early = await report("ada", "dan");
    const older = await report("ada", "ben");
    const between = await report("ada", "cleo");
    await report("cleo", "ben");
    const next = async (id: string) =>
      (await decide(id, { decision: "resolve" })).headers.get("location");
    assert.equal(await next(older), `${QUEUE}/${between}?done=ignored_next`);
    const late = await report("ada", "ben");
    assert.equal(await next(early), `${QUEUE}/${late}?done=ignored_next`);
    assert.equal(await next(late), `${QUEUE}/${between}?done=ignored_next`);
    assert.equal(await next(between), `${QUEUE}?done=ignored`);
    assert.match((await mod.get(`${QUEUE}?done=ignored`)).text, /The queue is empty/);
  });

  test("answers all open reports about the account, with one strike and one entry", async () => {
    const bad = await post("ben", { status: "Buy watches" });
    const worse = await post("ben", { status: "Buy more" });
    const ids = [
      await report("ada", "ben", { status_ids: [bad] }),
      await report("cleo", "ben", { status_ids: [worse, bad] }),
      await report("dan", "ben"),
    ];
    const next = await report("ada", "dan");
    const page = await mod.get(`${QUEUE}/${ids[0]}`);
    assert.match(page.text, /<h1[^>]*>[^<]*3 reports about @ben/);
    for (const shown of ["ada says", "cleo says", "dan says", "Buy watches", "Buy more"]) {
      assert.match(page.text, new RegExp(shown));
    }
    const answer = await decide(ids[0]!, { decision: "none", text: "No adverts" });
    // The newest of those that are left is next.
    assert.equal(answer.headers.get("location"), `${QUEUE}/${next}?done=decided_next`);
    assert.match(
      (await mod.get(`${QUEUE}/${next}?done=decided_next`)).text,
      /the next in the queue/,
    );
    assert.deepEqual(
      await stored(...ids),
      ids.map((id) => ({ id, open: false, action: "none" })),
    );
    const strikes = await t.app.sql<{ status_ids: string[] }[]>`
      SELECT status_ids FROM strikes WHERE target_account_id = ${idOf("ben")}
    `;
    assert.deepEqual(
      [...strikes].map(({ status_ids: posts }) => posts.toSorted()),
      [[bad, worse].toSorted()],
    );
    const { action, details } = await entryOf();
    assert.equal(action, "account.warn");
    assert.deepEqual(details.resolved.toSorted(), ids.toSorted());
  });

  test("deletes the posts of all reports, and they stay readable for the staff", async () => {
    const posts = [
      await post("cleo", { status: "First bad one" }),
      await post("cleo", { status: "Second bad one" }),
    ];
    const ids = [
      await report("ada", "cleo", { status_ids: [posts[0]] }),
      await report("ben", "cleo", { status_ids: [posts[1]] }),
    ];
    const path = `${QUEUE}/${ids[1]}/decide`;
    const asked = await mod.submit(await mod.get(`${QUEUE}/${ids[1]}`), path, {
      decision: "delete_statuses",
    });
    assert.match(asked.text, /Delete 2 posts by @cleo\?/);
    assert.equal((await stored(...ids)).filter(({ open }) => open).length, 2);
    const answer = await decide(ids[1]!, { decision: "delete_statuses" });
    assert.equal(answer.headers.get("location"), `${QUEUE}?done=decided`);
    assert.deepEqual(
      (await stored(...ids)).map(({ action }) => action),
      ["delete_statuses", "delete_statuses"],
    );
    for (const id of posts) {
      assert.equal((await t.visitor.get(`/api/v1/statuses/${id}`)).status, 404);
    }
    assert.equal((await entryOf()).action, "report.delete_statuses");
    assert.match((await mod.get(`${QUEUE}/${ids[0]}`)).text, /First bad one[^]*Deleted post/);
    assert.match((await mod.get(`${QUEUE}/${ids[1]}`)).text, /Second bad one[^]*Deleted post/);
  });

  test("without action, too, and one report can be resolved alone before", async () => {
    const [odd, right] = [await report("ada", "dan"), await report("ben", "dan")];
    const alone = await mod.submit(await mod.get(`${QUEUE}/${odd}`), `${QUEUE}/${odd}/resolve`, {});
    assert.equal(alone.headers.get("location"), `${QUEUE}/${right}?done=resolved`);
    assert.deepEqual(
      (await stored(odd, right)).map(({ open }) => open),
      [false, true],
    );
    await decide(right, { decision: "resolve" });
    assert.deepEqual(await stored(right), [{ id: right, open: false, action: null }]);
    const { action, details } = await entryOf();
    assert.deepEqual([action, details], ["report.resolve", { resolved: [right] }]);
  });

  test("is refused where somebody was faster, nothing was chosen, or a reason is too long", async () => {
    const id = await report("ada", "dan");
    const page = await mod.get(`${QUEUE}/${id}`);
    const send = (values: Record<string, string>) =>
      mod.submit(page, `${QUEUE}/${id}/decide`, values);
    assert.match((await send({})).text, /Choose what to do/);
    assert.match((await send({ decision: "constructor" })).text, /Choose what to do/);
    const long = await send({ decision: "none", text: "x".repeat(5001) });
    assert.equal(long.status, 422);
    assert.match(long.text, /up to 5,000 characters/);
    const posts = await send({ decision: "mark_statuses_as_sensitive" });
    assert.match(posts.text, /no longer exist/);
    await decide(id, { decision: "resolve" });
    const late = await send({ decision: "none" });
    assert.equal(late.status, 422);
    assert.match(late.text, /@mia has already decided this: Resolved without action\./);
    assert.equal((await mod.get(`${QUEUE}/1`)).status, 404);
  });

  test("of two at the same moment one counts", async () => {
    const id = await report("ada", "ben");
    const decision = { name: "none", text: "Warned", mail: false } as const;
    const { both } = await t.fixture(async (tx) => {
      await tx`SELECT FROM reports WHERE id = ${id} FOR UPDATE`;
      const both = Promise.allSettled(
        [1, 2].map(() => decideReports(t.app, COMMAND_LINE, id, decision)),
      );
      await eventually("both decisions to wait", () => waitsForLock(t.app.sql, 2));
      return { both };
    });
    const states = (await both).map(({ status }) => status);
    assert.deepEqual(states.toSorted(), ["fulfilled", "rejected"]);
    const strikes = await t.app.sql`SELECT FROM strikes WHERE report_id = ${id}`;
    assert.equal(strikes.length, 1);
  });

  test("that comes too late says who decided what, and brings back what was typed", async () => {
    const id = await report("ada", "dan");
    const page = await mod.get(`${QUEUE}/${id}`);
    const other = openBrowser(t);
    await other.signIn("boss");
    const path = `${QUEUE}/${id}/decide`;
    const fields = { decision: "none", text: "Warned" };
    assert.equal((await other.submit(await other.get(`${QUEUE}/${id}`), path, fields)).status, 302);
    const typed = { decision: "suspend", text: "Three <b>times</b> warned" };
    const late = await mod.submit(page, path, typed);
    assert.equal(late.status, 422);
    assert.match(late.text, /@boss has already decided this: Warned\./);
    assert.match(late.text, /<textarea[^>]*name="text"[^>]*>Three &lt;b>times/);
    assert.match(late.text, /value="suspend"[^>]* checked/);
    const act = `/admin/accounts/${idOf("dan")}/act`;
    const { text, decision: type } = typed;
    assert.match((await mod.submit(late, act, { type, text })).text, /Suspend @dan\?/);
    const strikes = await t.app.sql`SELECT FROM strikes WHERE report_id = ${id}`;
    assert.equal(strikes.length, 1);
  });

  test("about somebody above is not offered, nor taken", async () => {
    const [boss] = await t.app.sql<{ id: string }[]>`
      SELECT id FROM accounts WHERE username = 'boss'
    `;
    const { json } = await people["ada"]!.post("/api/v1/reports", { account_id: boss!.id });
    const page = await mod.get(`${QUEUE}/${json.id}`);
    assert.match(page.text, /value="resolve"/);
    assert.doesNotMatch(page.text, /value="suspend"/);
    const path = `${QUEUE}/${json.id}/decide`;
    const fields = { decision: "silence" };
    assert.equal((await mod.submit(page, path, fields)).status, 403);
  });

  test("by a key asks before anything happens", async () => {
    const id = await report("ada", "dan");
    const path = `${QUEUE}/${id}/decide`;
    const page = await mod.get(`${QUEUE}/${id}`);
    for (const [decision, sentence] of [
      ["resolve", /Resolve without action: @dan\?[^]*isn’t notified/],
      ["none", /Warn: @dan\?[^]*gets a message/],
      ["silence", /Limit account: @dan\?[^]*follow the account/],
      ["sensitive", /Mark account as sensitive: @dan\?/],
    ] as const) {
      const question = await mod.submit(page, path, { decision, ask: "1", text: "Why" });
      assert.match(question.text, sentence);
      assert.match(question.text, /name="text" value="Why"/);
    }
    assert.deepEqual(
      (await stored(id)).map(({ open }) => open),
      [true],
    );
    const taken = await mod.submit(page, `${QUEUE}/${id}/assign`, { ask: "1" });
    assert.match(taken.text, /Assign this report to you\?/);
  });
});

describe("beside the reports", () => {
  test("stand the posts that are answered, covers, decisions so far, other reports and notes", async () => {
    const question = await post("ada", { status: "Who likes herons?" });
    const answer = await post("ben", {
      status: "Nobody asked",
      in_reply_to_id: question,
      sensitive: true,
      spoiler_text: "Rude",
    });
    await decide(await report("cleo", "ben"), { decision: "silence", text: "Earlier" });
    const id = await report("ada", "ben", { status_ids: [answer] });
    const account = `/admin/accounts/${idOf("ben")}`;
    await mod.submit(await mod.get(account), `${account}/notes`, { note: "Knows the rules" });
    const { text } = await mod.get(`${QUEUE}/${id}`);
    assert.match(text, /In reply to this post by @ada[^]*Who likes herons\?/);
    assert.match(
      text,
      /<details class="warning"><summary>.*?<span dir="auto">Rude[^]*Nobody asked/,
    );
    assert.match(text, /Decisions about this account[^]*Limited[^]*@mia[^]*“Earlier”/);
    assert.match(text, /Other reports about this account[^]*Limited · by @mia/);
    assert.match(text, /Knows the rules/);
    assert.doesNotMatch(text, /<!--post/);
  });

  /** The page that a form of this page leads to. */
  const done = async (page: string, action: string, values: Record<string, string> = {}) => {
    const { status, headers } = await mod.submit(await mod.get(page), action, values);
    assert.equal(status, 302);
    return mod.get(headers.get("location")!);
  };

  test("stand notes for the staff alone, written and removed there", async () => {
    const [first, id] = [await report("ada", "dan"), await report("ben", "dan")];
    const page = `${QUEUE}/${id}`;
    const refused = await mod.submit(await mod.get(page), `${page}/notes`, { note: " " });
    assert.equal(refused.status, 422);
    const told = await done(page, `${page}/notes`, { note: "Asked <ben>" });
    assert.match(told.text, /Note saved[^]*Notes on this report[^]*@mia@[^]*Asked &lt;ben>/);
    const [, remove] = /action="(\/admin\/notes\/\d+\/delete)"/.exec(told.text)!;
    const account = `/admin/accounts/${idOf("dan")}`;
    await mod.submit(await mod.get(account), `${account}/notes`, { note: "Knows dan" });

    // What was written elsewhere is read here, and removed where it was written.
    const other = (await mod.get(`${QUEUE}/${first}`)).text;
    assert.match(other, /Other notes about this account[^]*Knows dan/);
    assert.match(other, new RegExp(`Asked &lt;ben>[^]*?<a href="${page}">Report</a>`));
    assert.doesNotMatch(other, /\/admin\/notes\//);
    const about = (await mod.get(account)).text;
    assert.match(about, new RegExp(`Asked &lt;ben>[^]*?<a href="${page}">Report</a>`));
    assert.ok(!about.includes(remove!));

    const entries = () => t.app.sql<{ action: string; target_id: string }[]>`
      SELECT action, target_id FROM audit_log ORDER BY id DESC LIMIT 1`;
    const left = await done(page, remove!);
    assert.match(left.text, /Note deleted[^]*Knows dan/);
    assert.doesNotMatch(left.text, /Asked/);
    assert.deepEqual(
      [...(await entries())],
      [{ action: "account.remark_removed", target_id: idOf("dan") }],
    );
  });

  test("stand no notes, nor a form for one, for those who may not see accounts", async () => {
    const id = await report("ada", "dan");
    const page = `${QUEUE}/${id}`;
    await mod.submit(await mod.get(page), `${page}/notes`, { note: "For the staff" });
    const { accountId } = await t.person("rae");
    await createRole(t.app.sql, { name: "Reports", permissions: ["manage_reports"], position: 5 });
    await giveRole(t.app, COMMAND_LINE, accountId, await findRole(t.app, "Reports"));
    const rae = openBrowser(t);
    await rae.signIn("rae");
    const seen = await rae.get(page);
    assert.equal(seen.status, 200);
    assert.doesNotMatch(seen.text, /For the staff|\/notes"/);
    const form_token = /name="form_token" value="([^"]+)"/.exec(seen.text)![1]!;
    assert.equal((await rae.post(`${page}/notes`, { form_token, note: "Mine" })).status, 403);
  });

  test("stand the collections that it names", async () => {
    const { json } = await people["cleo"]!.post("/api/v1/collections", { name: "Bad people" });
    const { id: collectionId } = json.collection;
    const id = await report("ada", "cleo", { collection_ids: [collectionId] });
    const { text } = await mod.get(`${QUEUE}/${id}`);
    assert.match(text, new RegExp(`/collections/${collectionId}"[^]*?Bad people`));
  });

  test("a report that is opened again has no decision any more", async () => {
    const id = await report("ada", "dan");
    await decide(id, { decision: "none" });
    const page = await mod.get(`${QUEUE}/${id}`);
    assert.match(page.text, /Warned · by @mia/);
    assert.doesNotMatch(page.text, /\/decide"/);
    await mod.submit(page, `${QUEUE}/${id}/reopen`, {});
    assert.deepEqual(await stored(id), [{ id, open: true, action: null }]);
    assert.match((await mod.get(`${QUEUE}/${id}`)).text, /\/decide"/);
  });
});
