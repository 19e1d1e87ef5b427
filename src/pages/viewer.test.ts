// What somebody signed in sees on the pages: what the API would show them, and nothing more; and none of it
// is kept for others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import type { Browser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../test/harness.ts";

let server: TestApp;
let people: Record<"alice" | "bob" | "carol" | "dora", Person>;
let browsers: Record<"alice" | "bob" | "carol" | "dora", Browser>;

const write = (person: Person, json: Record<string, unknown>): Promise<{ id: string }> =>
  person.post("/api/v1/statuses", json).ok();

const visitor = (path: string) => server.visitor.get(path, { accept: "text/html" });

const assertPrivate = ({ status, headers }: Answer, path: string) => {
  assert.equal(status, 200, path);
  assert.equal(headers.get("cache-control"), "private, no-store", path);
  assert.match(headers.get("vary") ?? "", /Cookie/, path);
};

/** Bob follows alice and is mentioned, carol is nobody to her, dora is blocked by her. */
before(async () => {
  server = await startTestApp({ env: { INSTANCE_TITLE: "Nest" } });
  const names = ["alice", "bob", "carol", "dora"] as const;
  people = {} as typeof people;
  browsers = {} as typeof browsers;
  for (const name of names) {
    people[name] = await server.person(name);
    browsers[name] = openBrowser(server);
    await browsers[name].signIn(name);
  }
  const { alice, bob, dora } = people;
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`, {}).ok();
  await dora.post(`/api/v1/accounts/${alice.accountId}/follow`, {}).ok();
  await alice.post(`/api/v1/accounts/${dora.accountId}/block`, {}).ok();
});

after(() => server.close());

test("a post for followers or for one person is a page for whom it is for, and 404 for others", async () => {
  const { alice } = people;
  const closed = await write(alice, { status: "for followers", visibility: "private" });
  const direct = await write(alice, { status: "@carol whispered", visibility: "direct" });
  const cases: [id: string, text: string, seenBy: string[]][] = [
    [closed.id, "for followers", ["alice", "bob"]],
    [direct.id, "whispered", ["alice", "carol"]],
  ];
  for (const [id, text, seenBy] of cases) {
    const path = `/@alice/${id}`;
    for (const [name, browser] of Object.entries(browsers)) {
      const answer = await browser.get(path);
      if (!seenBy.includes(name)) {
        assert.equal(answer.status, 404, `${name} ${text}`);
        continue;
      }
      assertPrivate(answer, path);
      assert.ok(answer.text.includes(text), `${name} ${text}`);
      assert.match(answer.text, /<meta name="robots" content="noindex"/);
      assert.match(answer.text, id === closed.id ? />Followers only</ : />Private mention</);
    }
    assert.equal((await visitor(path)).status, 404);
    const headers = { accept: "text/html" };
    assert.equal((await server.visitor.get(`${path}/embed`, headers)).status, 404);
  }
});

test("a session gives no document: peers sign what they ask for", async () => {
  const { id } = await write(people.alice, { status: "closed", visibility: "private" });
  const accept = "application/activity+json";
  const cookie = [...browsers.alice.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const path of [`/@alice/${id}`, `/users/alice/statuses/${id}`]) {
    const answer = await server.visitor.get(path, { accept, cookie });
    assert.equal(answer.status, 404, path);
  }
});

test("replies stand in a thread for those who may see them", async () => {
  const { alice, bob } = people;
  const root = await write(alice, { status: "the root" });
  const reply = { in_reply_to_id: root.id };
  await write(bob, { ...reply, status: "@alice openly" });
  await write(bob, { ...reply, status: "@alice in private", visibility: "direct" });
  const path = `/@alice/${root.id}`;
  const own = await browsers.alice.get(path);
  assertPrivate(own, path);
  assert.ok(own.text.includes("openly") && own.text.includes("in private"));
  for (const answer of [await browsers.carol.get(path), await visitor(path)]) {
    assert.ok(answer.text.includes("openly") && !answer.text.includes("in private"));
  }
});

test("a thread is a tree: its author's own chain first, branches that fold, deep ones folded", async () => {
  const { alice, bob, carol } = people;
  const answer = (who: Person, status: string, { id }: { id: string }) =>
    write(who, { status, in_reply_to_id: id });
  const root = await write(carol, { status: "first of two" });
  const early = await answer(bob, "branch level 1", root);
  await answer(carol, "second of two", root);
  let above = early;
  for (const [level, who] of [alice, bob, alice].entries()) {
    await answer(carol, `beside level ${level + 2}`, above);
    above = await answer(who, `branch level ${level + 2}`, above);
  }
  const { text } = await visitor(`/@carol/${root.id}`);
  const at = (words: string) => text.indexOf(`>${words}`);
  assert.ok(at("second of two") < at("branch level 1"));
  const page = text.slice(0, text.indexOf('id="state"'));
  assert.ok(at("branch level 2") < page.indexOf("Show 4 more replies"));
  for (const folded of ["beside level 3", "branch level 3", "branch level 4"])
    assert.doesNotMatch(page, new RegExp(`>${folded}`));
});

test("profiles, their lists and tags show each viewer what is for them", async () => {
  const { alice, bob } = people;
  await write(alice, { status: "closed words #nesting", visibility: "private" });
  await write(alice, {
    status: "@bob closed answer",
    visibility: "private",
    in_reply_to_id: (await write(bob, { status: "a question" })).id,
  });
  await write(alice, { status: "open words #nesting" });
  const shows = async (browser: Browser | null, path: string, text: string) => {
    const answer = browser ? await browser.get(path) : await visitor(path);
    if (browser) assertPrivate(answer, path);
    return answer.text.includes(text);
  };
  for (const path of ["/@alice", "/@alice/with_replies", "/@alice/tagged/nesting"]) {
    assert.ok(await shows(browsers.alice, path, "closed words"), path);
    assert.ok(await shows(browsers.bob, path, "closed words"), path);
    assert.ok(!(await shows(browsers.carol, path, "closed words")), path);
    assert.ok(!(await shows(null, path, "closed words")), path);
    assert.ok(await shows(browsers.carol, path, "open words"), path);
    assert.ok(!(await shows(browsers.dora, path, "open words")), path);
  }
  assert.ok(await shows(browsers.bob, "/@alice/with_replies", "closed answer"));
  assert.ok(!(await shows(browsers.bob, "/@alice", "closed answer")));
  assert.ok(!(await shows(null, "/@alice/with_replies", "closed answer")));
});

test("public posts and tags leave out whom the viewer muted", async () => {
  const { bob, carol } = people;
  await write(carol, { status: "noisy words #hush" });
  await bob.post(`/api/v1/accounts/${carol.accountId}/mute`, {}).ok();
  for (const path of ["/public/local", "/tags/hush"]) {
    assert.ok((await visitor(path)).text.includes("noisy words"), path);
    assert.ok((await browsers.alice.get(path)).text.includes("noisy words"), path);
    assert.ok(!(await browsers.bob.get(path)).text.includes("noisy words"), path);
  }
  // Who opens the page of somebody they muted wants to see it.
  assert.ok((await browsers.bob.get("/@carol")).text.includes("noisy words"));
});

test("who may not use the pages sees what visitors see", async () => {
  const erin = await server.person("erin");
  const { id } = await write(erin, { status: "frozen words", visibility: "private" });
  const browser = openBrowser(server);
  await browser.signIn("erin");
  assert.equal((await browser.get(`/@erin/${id}`)).status, 200);
  await server.write`UPDATE users SET disabled = true WHERE account_id = ${erin.accountId}`;
  assert.equal((await browser.get(`/@erin/${id}`)).status, 404);
});

test("followers and followed are listed as the API lists them, and hidden where they are", async () => {
  const [finn, gwen] = [await server.person("finn"), await server.person("gwen")];
  await finn.post(`/api/v1/accounts/${gwen.accountId}/follow`, {}).ok();
  const lists = [
    ["/@gwen/followers", "finn"],
    ["/@finn/following", "gwen"],
  ] as const;
  for (const [path, name] of lists) {
    const { status, text, headers } = await visitor(path);
    assert.equal(status, 200, path);
    assert.match(headers.get("cache-control") ?? "", /public/);
    assert.match(text, new RegExp(`class="person">.*href="[^"]*/@${name}"`), path);
    assert.match(text, /name="robots" content="noindex"/);
  }
  assert.match((await visitor("/@gwen")).text, /href="[^"]*\/@gwen\/followers"/);
  assert.match((await visitor("/@gwen/following")).text, /Not following anyone yet/);
  for (const person of [finn, gwen]) {
    await person.patch("/api/v1/accounts/update_credentials", { hide_collections: true }).ok();
  }
  for (const [path] of lists) {
    const { status, text } = await visitor(path);
    assert.equal(status, 200, path);
    assert.match(text, /hides who they follow/, path);
    assert.doesNotMatch(text, /class="person">/, path);
  }
  const own = openBrowser(server);
  await own.signIn("gwen");
  assert.match((await own.get("/@gwen/followers")).text, /class="person">.*@finn/);
  assert.equal((await visitor("/@nobody/followers")).status, 404);
});

test("a list of people is paged", async () => {
  const { accountId } = await server.person("star");
  await server.write`
    WITH new_accounts AS (
      INSERT INTO accounts (username, domain, uri, url)
      SELECT 'fan' || n, 'there.example', 'https://there.example/u/' || n, 'https://there.example/@fan' || n
      FROM generate_series(1, 41) n RETURNING id
    )
    INSERT INTO follows (account_id, target_account_id) SELECT id, ${accountId} FROM new_accounts`;
  const first = (await visitor("/@star/followers")).text;
  const older = /href="(\?max_id=\d+)"/.exec(first)![1];
  const second = (await visitor(`/@star/followers${older}`)).text;
  const fans = (text: string) => text.match(/class="handle">@fan\d+@/g) ?? [];
  assert.equal(new Set([...fans(first), ...fans(second)]).size, 41);
  assert.equal(fans(first).length, 40);
});

test("a handle with this server's domain leads to the same pages", async () => {
  const { localDomain } = server.app.config.site;
  const { id } = await write(people.alice, { status: "by handle" });
  for (const rest of ["", "/with_replies", "/media", "/followers", "/tagged/x", `/${id}`]) {
    const { status, headers } = await visitor(`/@alice@${localDomain}${rest}?max_id=5`);
    assert.deepEqual([status, headers.get("location")], [302, `/@alice${rest}?max_id=5`]);
  }
});

test("people and posts of other servers: visitors go to their home, members see them here", async () => {
  await server.write`INSERT INTO accounts (username, domain, uri, url) VALUES
    ('gil', 'there.example', 'https://there.example/u/gil', 'https://there.example/@gil')`;
  for (const rest of ["", "/followers", "/with_replies"]) {
    const path = `/@gil@there.example${rest}`;
    assert.equal((await visitor(path)).headers.get("location"), "https://there.example/@gil");
    const { status, text, headers } = await browsers.bob.get(path);
    assert.equal(status, 200);
    assert.match(text, /gil \(@gil@there\.example\)/);
    assert.equal(headers.get("cache-control"), "private, no-store");
  }
});

test("an error page has the title that is set, and knows who is signed in", async () => {
  await server.write`
    INSERT INTO settings (name, value) VALUES ('title', '"The Aviary"')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  const headers = { accept: "text/html" };
  for (const path of ["/@nobody", "/nothing", "/@alice/x"]) {
    const cookie = [...browsers.alice.cookies].map((pair) => pair.join("=")).join("; ");
    const own = await server.visitor.get(path, { ...headers, cookie });
    assert.equal(own.status, 404, path);
    assert.match(own.text, /<title>(?:\(\d+\) )?Page not found - The Aviary/, path);
    assert.match(own.text, /class="person-names" href="\/@alice"/, path);
    assert.equal(own.headers.get("cache-control"), "private, no-store");
    const answer = await server.visitor.get(path, headers);
    assert.match(answer.text, /<title>Page not found - The Aviary/, path);
    assert.doesNotMatch(answer.text, /class="person-names"/, path);
  }
});
