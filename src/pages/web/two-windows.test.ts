// Two windows with the same form of the web client, without scripts: whoever saves second sees what is saved beside what
// was entered, and may replace it. Everything that the form shows is judged.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let t: TestApp;
let alice: Person;
let browser: Browser;

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  browser = openBrowser(t);
  await browser.signIn("alice");
});
after(() => t.close());

type Case = {
  /** Makes what is edited; returns its id. */
  make?: () => Promise<string>;
  page: (id: string) => string;
  action: (id: string) => string;
  /** What another window or an app saves meanwhile. */
  change: (id: string) => Promise<unknown>;
  /** What is entered, and how it is shown again. */
  mine: Record<string, string>;
  kept: RegExp;
  now: string;
  /** What is equal to what was saved. */
  same: Record<string, string>;
};

const word = (n: number, part: string): string => `keywords_attributes[${n}][${part}]`;
const PROFILE = "/api/v1/accounts/update_credentials";
const FILTER = { "context[]": "home", filter_action: "warn", expires_in: "" };

const CASES: Record<string, Case> = {
  "a list": {
    make: async () => (await alice.post("/api/v1/lists", { title: "Birds" }).ok()).id,
    page: (id) => `/lists/${id}/edit`,
    action: (id) => `/web/act/lists/${id}`,
    change: (id) => alice.put(`/api/v1/lists/${id}`, { title: "Owls" }).ok(),
    mine: { title: "Rooks", replies_policy: "list", exclusive: "false" },
    kept: /value="Rooks"/,
    now: "Owls",
    same: { title: "Owls", replies_policy: "list", exclusive: "false" },
  },
  "a filter": {
    make: async () => {
      const keywords_attributes = ["rain", "snow"].map((keyword) => ({ keyword }));
      const filter = { title: "Weather", context: ["home"], keywords_attributes };
      return (await alice.post("/api/v2/filters", filter).ok()).id;
    },
    page: (id) => `/settings/filters/${id}`,
    action: (id) => `/web/act/filters/${id}`,
    change: async (id) => {
      const { keywords } = await alice.get(`/api/v2/filters/${id}`).ok();
      await alice.delete(`/api/v2/filters/keywords/${keywords[0].id}`).ok();
      await alice.put(`/api/v2/filters/${id}`, { title: "Sky" }).ok();
    },
    mine: {
      ...FILTER,
      title: "Storm",
      [word(0, "keyword")]: "rain",
      [word(1, "keyword")]: "hail",
    },
    kept: /value="Storm"/,
    now: "Sky",
    same: { ...FILTER, title: "Sky" },
  },
  "a group": {
    make: async () => {
      const group = { name: "birders", display_name: "Birders", rules: ["Be kind."] };
      return (await alice.post("/api/v1/groups", group).ok()).id;
    },
    page: (id) => `/groups/${id}`,
    action: (id) => `/web/act/groups/${id}`,
    change: (id) => alice.put(`/api/v1/groups/${id}`, { note: "On birds." }).ok(),
    mine: { display_name: "Birders", note: "On owls.", locked: "false", holds_posts: "false" },
    kept: />On owls\.<\/textarea>/,
    now: "On birds.",
    same: { display_name: "Birders", note: "On birds.", locked: "false", holds_posts: "false" },
  },
  "one’s profile": {
    page: () => "/settings/profile",
    action: () => "/web/act/accounts/update_credentials",
    change: () => alice.patch(PROFILE, { note: "Hello." }).ok(),
    mine: { display_name: "Alice", note: "Good day." },
    kept: />Good day\.<\/textarea>/,
    now: "Hello.",
    same: { display_name: "", note: "Hello." },
  },
};

const [VISIBILITY, TYPE] = ["visibility", "content_type"].map((name) => `posting:default:${name}`);

for (const [name, { make, page, action, change, mine, kept, now, same }] of Object.entries(CASES))
  test(`what was saved elsewhere is seen before it is replaced: ${name}`, async () => {
    const id = (await make?.()) ?? "";
    const [path, at] = [page(id), action(id)];
    const drawn = await browser.get(path);
    await change(id);

    const late = await browser.submit(drawn, at, mine);
    assert.equal(late.status, 422, late.text);
    assert.match(late.text, /This was saved elsewhere since you opened it/);
    assert.match(late.text, kept);
    assert.ok(late.text.includes(`Saved now: ${now}`), late.text);
    assert.ok(late.text.includes(`href="${at}"`));
    assert.equal((await browser.get(at)).headers.get("location"), path);

    if (name !== "a filter") assert.equal((await browser.submit(drawn, at, same)).status, 303);
    assert.equal((await browser.submit(late, at, mine)).status, 303);
  });

test("a word of a filter that was removed elsewhere is added again by who keeps it, and no other changes", async () => {
  const { id, keywords } = (await alice.get("/api/v2/filters").ok())[0];
  const words = keywords.map(({ keyword }: { keyword: string }) => keyword).toSorted();
  assert.deepEqual([id.length > 0, words], [true, ["hail", "rain"]]);
});

test("preferences: what is untouched stays as another window saved it, and what is not is asked about", async () => {
  const at = "/web/act/preferences";
  const drawn = await browser.get("/settings/preferences");
  await alice.patch("/api/v1/preferences", { [VISIBILITY!]: "private" }).ok();
  const untouched = { [VISIBILITY!]: "public", [TYPE!]: "text/markdown" };
  assert.equal((await browser.submit(drawn, at, untouched)).status, 303);
  const now = await alice.get("/api/v1/preferences").ok();
  assert.deepEqual([now[VISIBILITY!], now[TYPE!]], ["private", "text/markdown"]);
  const late = await browser.submit(drawn, at, { ...untouched, [VISIBILITY!]: "direct" });
  assert.equal(late.status, 422);
  assert.ok(late.text.includes("Saved now: Followers only"), late.text);
});

test("what two windows say alike is no conflict: words of a filter, a group’s name, fields of a profile", async () => {
  const keywords_attributes = [{ keyword: "fog" }, { keyword: "dew" }];
  const filter = { title: "Sky again", context: ["home"], keywords_attributes };
  const { id, keywords } = await alice.post("/api/v2/filters", filter).ok();
  const [path, at] = [`/settings/filters/${id}`, `/web/act/filters/${id}`];
  const row = (n: number, keyword: string, more: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries({ keyword, whole_word: "true", wildcards: "false", ...more }).map(
        ([part, value]) => [word(n, part), value],
      ),
    );
  const own = (n: number, more = {}) =>
    row(n, keywords[n].keyword, { id: keywords[n].id, ...more });
  const wordsNow = async (): Promise<string[]> => {
    const now = await alice.get(`/api/v2/filters/${id}`).ok();
    return now.keywords.map(({ keyword }: { keyword: string }) => keyword).toSorted();
  };
  const drawn = await browser.get(path);
  const mine = {
    ...FILTER,
    title: filter.title,
    ...own(0),
    ...own(1, { _destroy: "true" }),
    ...row(2, "mist"),
    ...row(3, ""),
  };
  // The second time is after the way back.
  for (const _time of [1, 2]) {
    const saved = await browser.submit(drawn, at, mine);
    assert.equal(saved.status, 303, saved.text);
    assert.deepEqual(await wordsNow(), ["fog", "mist"]);
  }
  const left = { ...FILTER, title: "Low sky", ...own(0), ...own(1) };
  assert.equal((await browser.submit(drawn, at, left)).status, 303);
  assert.deepEqual(await wordsNow(), ["fog", "mist"]);
  const other = await browser.submit(drawn, at, { ...mine, title: "Sky", ...row(2, "haze") });
  assert.equal(other.status, 422);

  const group = await alice.post("/api/v1/groups", { name: "owlers", display_name: "Owlers" }).ok();
  const page = await browser.get(`/groups/${group.id}`);
  await alice.put(`/api/v1/groups/${group.id}`, { display_name: "Owls" }).ok();
  const name = { display_name: "Owls", note: "", locked: "false", holds_posts: "false" };
  const same = await browser.submit(page, `/web/act/groups/${group.id}`, name);
  assert.equal(same.status, 303, same.text);

  const profile = await browser.get("/settings/profile");
  const fields_attributes = [{ name: "Home", value: "Kent" }];
  const attribution_domains = ["one.example", "two.example"];
  await alice.patch(PROFILE, { fields_attributes, attribution_domains }).ok();
  const fields = {
    "fields_attributes[0][name]": "Home",
    "fields_attributes[0][value]": "Kent",
    attribution_domains: "one.example\r\ntwo.example",
  };
  const alike = await browser.submit(profile, "/web/act/accounts/update_credentials", fields);
  assert.equal(alike.status, 303, alike.text);
});

test("what a form leaves as it was keeps what was saved elsewhere, and undoes nothing", async () => {
  const drawn = await browser.get("/settings/profile");
  const { display_name, note } = await alice.get("/api/v1/profile").ok();
  await alice.patch(PROFILE, { display_name: "Al" }).ok();
  const at = "/web/act/accounts/update_credentials";
  assert.equal((await browser.submit(drawn, at, { display_name, note: "New." })).status, 303);
  const now = await alice.get("/api/v1/profile").ok();
  assert.deepEqual([now.display_name, now.note], ["Al", "New."]);
  assert.notEqual(note, "New.");
});
