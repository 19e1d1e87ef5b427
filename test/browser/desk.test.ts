// An hour of a moderator: reports, by the keyboard alone. Each is opened, looked at and decided, some with a reason,
// and then all has to be as it was meant, with nothing missing in the audit log. And what the keys must not do.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { DESK, PHONE, startBrowser, withoutChromium } from "./open.ts";
import type { TestBrowser } from "./open.ts";
import { open, until } from "./until.ts";

const QUEUE = "/admin/reports";
/** Each kind of decision is made twice. */
const REPORTS = 16;
/** Every fifth account is reported twice. */
const TWICE = 5;

type Meant = {
  key: string;
  /** Of the strike; null: nothing is done. */
  action: string | null;
  entry: string;
};

const MEANT: readonly Meant[] = [
  { key: "n", action: null, entry: "report.resolve" },
  { key: "w", action: "none", entry: "account.warn" },
  { key: "l", action: "silence", entry: "account.silence" },
  { key: "s", action: "suspend", entry: "account.suspend" },
  { key: "d", action: "delete_statuses", entry: "report.delete_statuses" },
  { key: "n", action: null, entry: "report.resolve" },
  { key: "m", action: "mark_statuses_as_sensitive", entry: "report.mark_statuses_as_sensitive" },
];

type Reported = { person: Person; meant: Meant; posts: string[]; reports: string[] };

describe("an hour of a moderator", { skip: withoutChromium }, () => {
  let server: TestApp;
  let browser: TestBrowser;
  const reported = new Map<string, Reported>();

  const call = async (who: Person, path: string, json: object): Promise<string> =>
    (await who.post(path, json).ok()).id;

  /** Posts only where they are decided about. */
  const addReported = async (n: number, neighbours: Person[]): Promise<number> => {
    const person = await server.person(`person${n}`);
    const meant = MEANT[n % MEANT.length]!;
    const hasPosts = "dm".includes(meant.key);
    const posts = hasPosts
      ? [await call(person, "/api/v1/statuses", { status: `Something bad of ${n}` })]
      : [];
    const reports: string[] = [];
    const by = n % TWICE === 0 ? neighbours : neighbours.slice(0, 1);
    for (const neighbour of by) {
      const json = { account_id: person.accountId, comment: `About ${n}`, status_ids: posts };
      reports.push(await call(neighbour, "/api/v1/reports", json));
    }
    reported.set(person.username, { person, meant, posts, reports });
    return by.length;
  };

  before(async () => {
    server = await startTestApp();
    await server.person("mia", { role: "Moderator" });
    const neighbours = [await server.person("alice"), await server.person("bob")];
    let count = 0;
    for (let n = 0; count < REPORTS; n += 1) count += await addReported(n, neighbours);
    await server.person("olga", { role: "Owner" });
    browser = await startBrowser(server);
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  const leadsTo = (page: Page, pattern: RegExp, act: () => Promise<unknown>): Promise<unknown> =>
    Promise.all([page.waitForURL((url) => pattern.test(url.pathname)), act()]);

  /** Looks at the page that is shown, and decides as it is meant; whom it was about. */
  const decide = async (page: Page): Promise<string> => {
    const title = (await page.locator("h1").first().textContent()) ?? "";
    const [, name = ""] = /@(\w+)/.exec(title) ?? [];
    const { meant } = reported.get(name)!;
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowDown");
    if (meant.key === "w") {
      await page.keyboard.press("r");
      // All of these letters are keys of acts elsewhere.
      await page.keyboard.type("no swearing, look");
      await page.keyboard.press("Escape");
    }
    await leadsTo(page, /^\/admin\/question\//, () => page.keyboard.press(meant.key));
    // Where the answer is given has the focus: the way back, where something is lost.
    await until(page, "document.activeElement.closest('.question') !== null");
    if (await page.evaluate("document.activeElement.matches('a')"))
      await page.keyboard.press("Tab");
    await until(page, "document.activeElement.matches('.question button, .question input')");
    if (meant.key === "d") await page.keyboard.type(name);
    await leadsTo(page, /^\/admin\/reports(?:\/\d+)?$/, () => page.keyboard.press("Enter"));
    return name;
  };

  test("reports are decided by keys, one after the other", async (t) => {
    const { page } = await browser.visit(t, { who: "mia", size: DESK });
    await open(page, QUEUE);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await leadsTo(page, /^\/admin\/reports\/\d+$/, () => page.keyboard.press("o"));
    const seen = new Set<string>();
    while (new URL(page.url()).pathname !== QUEUE) seen.add(await decide(page));
    assert.deepEqual([...seen].toSorted(), [...reported.keys()].toSorted());
    assert.match((await page.locator("main").textContent()) ?? "", /The queue is empty/);

    const rows = await server.app.sql<{ id: string; action: string | null }[]>`
      SELECT r.id, s.action FROM reports r LEFT JOIN strikes s ON s.id = r.strike_id
      WHERE r.action_taken_at IS NOT NULL
    `;
    const actual = new Map(rows.map(({ id, action }) => [id, action]));
    const all = [...reported.values()];
    assert.equal(rows.length, REPORTS);
    for (const { person, meant, reports } of all) {
      for (const id of reports) assert.equal(actual.get(id), meant.action, person.username);
    }
    await checkAccounts(all);
    await checkPosts(all);
    await checkEntries(all);
  });

  const checkAccounts = async (all: Reported[]): Promise<void> => {
    const rows = await server.app.sql<{ id: string; suspended: boolean; limited: boolean }[]>`
      SELECT id, suspended_at IS NOT NULL AS suspended, silenced_at IS NOT NULL AS limited
      FROM accounts WHERE username LIKE 'person%'
    `;
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { person, meant } of all) {
      const { suspended, limited } = byId.get(person.accountId)!;
      const expected = [meant.action === "suspend", meant.action === "silence"];
      assert.deepEqual([suspended, limited], expected, person.username);
    }
  };

  const checkPosts = async (all: Reported[]): Promise<void> => {
    const rows = await server.app.sql<{ id: string; sensitive: boolean }[]>`
      SELECT id, sensitive FROM statuses
    `;
    const left = new Map(rows.map(({ id, sensitive }) => [id, sensitive]));
    for (const { meant, posts } of all) {
      const expected = meant.key === "d" ? undefined : true;
      for (const id of posts) assert.equal(left.get(id), expected);
    }
  };

  const checkEntries = async (all: Reported[]): Promise<void> => {
    const rows = await server.app.sql<
      { action: string; target_label: string; username: string; details: { resolved: string[] } }[]
    >`
      SELECT l.action, l.target_label, a.username, l.details
      FROM audit_log l JOIN accounts a ON a.id = l.account_id
    `;
    assert.deepEqual(
      rows
        .map(
          ({ action, target_label: label, username, details }) =>
            `${username} ${action} ${label.replace("@", "")} ${details.resolved.toSorted().join()}`,
        )
        .toSorted(),
      all
        .map(
          ({ person, meant, reports }) =>
            `mia ${meant.entry} ${person.username} ${reports.toSorted().join()}`,
        )
        .toSorted(),
    );
  };

  test("on a phone the tabs of a section are one line, with the current one in sight", async (t) => {
    const { page } = await browser.visit(t, { who: "olga", size: PHONE });
    await page.goto(`${server.url}/admin/settings/texts`);
    const tabs = page.locator(".tabs > :is(a, button)");
    const boxes = await Promise.all((await tabs.all()).map((tab) => tab.boundingBox()));
    assert.ok(boxes.length > 1 && boxes.length <= 4, `${boxes.length}`);
    assert.equal(new Set(boxes.map((box) => box!.y)).size, 1);
    await page.locator(".tabs-more").click();
    assert.ok((await page.locator(".tabs-rest a:visible").count()) > 5);
    await page.keyboard.press("Escape");
    await until(
      page,
      `(() => {
        const { left, right } = document.querySelector(".tabs > :is([aria-current], .of-rest)").getBoundingClientRect();
        return left >= 0 && right <= innerWidth && document.documentElement.scrollWidth <= innerWidth;
      })()`,
    );
  });

  test("on a phone the search for accounts is one line, with its filters folded until one is set", async (t) => {
    const { page } = await browser.visit(t, { who: "olga", size: PHONE, touch: true });
    await open(page, "/admin/accounts");
    const search = page.locator('form[role="search"]');
    const { height } = (await search.boundingBox())!;
    assert.ok(height < 170, `${height} px high`);
    assert.equal(await search.getByLabel("State").isVisible(), false);
    await search.getByText("Filters", { exact: true }).click();
    await search.getByLabel("State").selectOption("suspended");
    await search.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/status=suspended/);
    assert.equal(await search.getByLabel("State").inputValue(), "suspended");
    assert.ok(await search.getByLabel("State").isVisible(), "a filter that is set is in sight");
  });

  test("every key of a page is in its list, and none does anything while somebody writes", async (t) => {
    const [alice, cleo] = [await server.person("anna"), await server.person("cleo")];
    const status = await call(cleo, "/api/v1/statuses", {
      status: "Hello",
      spoiler_text: "Not for everybody",
    });
    const json = { account_id: cleo.accountId, status_ids: [status] };
    const id = await call(alice, "/api/v1/reports", json);
    const { page } = await browser.visit(t, { who: "mia", size: PHONE });
    await open(page, `${QUEUE}/${id}`);
    const list = page.locator("details.keys");
    assert.equal(await list.getAttribute("open"), null);
    await page.keyboard.press("?");
    assert.notEqual(await list.getAttribute("open"), null);
    const keys = (await page.evaluate(
      "[...document.querySelectorAll('[data-key]')].map((each) => each.dataset.key)",
    )) as string[];
    const named = await list.locator("kbd").allTextContents();
    assert.ok(keys.length >= 9, keys.join());
    assert.deepEqual(
      keys.filter((key) => !named.includes(key)),
      [],
    );
    await page.keyboard.press("r");
    const letters = [...new Set(keys)].join("");
    await page.keyboard.type(`${letters}jkox?`);
    assert.equal(await page.locator("textarea[name=text]").inputValue(), `${letters}jkox?`);
    assert.equal(new URL(page.url()).pathname, `${QUEUE}/${id}`);
    // With a modifier they are the browser's.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+s");
    assert.equal(new URL(page.url()).pathname, `${QUEUE}/${id}`);

    // What is covered is opened and closed again.
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    const cover = page.locator(".reported details.warning");
    for (const isOpen of [false, true, false]) {
      assert.equal((await cover.getAttribute("open")) !== null, isOpen);
      await page.keyboard.press("o");
    }

    await list.locator("input[type=checkbox]").uncheck();
    await page.keyboard.press("u");
    await page.reload();
    await page.keyboard.press("u");
    await page.keyboard.press("?");
    assert.notEqual(await list.getAttribute("open"), null);
    await list.locator("input[type=checkbox]").check();
    assert.equal(new URL(page.url()).pathname, `${QUEUE}/${id}`);
    await leadsTo(page, /^\/admin\/reports$/, () => page.keyboard.press("u"));
    // The second key of two is no act of the queue.
    await page.keyboard.press("g");
    await leadsTo(page, /^\/settings$/, () => page.keyboard.press("s"));
  });
});
