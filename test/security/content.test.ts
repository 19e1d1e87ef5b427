// Content: what remote servers and local people write, through the real inbox and API, and what of it reaches
// clients and browsers.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ALL, PAYLOADS, assertEscaped, assertHarmless, withoutOwnScripts } from "./hostile.ts";
import { shareOf } from "../fuzz.ts";
import type { Mail } from "../../src/platform/mail/index.ts";
import { PUBLIC, startStage } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

let stage: Stage;
before(async () => {
  stage = await startStage();
});
after(() => stage.close());

const assertStatus = (status: Json, where: string): void => {
  const account = status["account"] as Json;
  assertHarmless(String(status["content"]), `${where} content`, false);
  assertAccount(account, where);
};
const assertAccount = (account: Json, where: string): void => {
  assertHarmless(String(account["note"]), `${where} note`, false);
  for (const field of account["fields"] as Json[])
    assertHarmless(String(field["value"]), `${where} field`, false);
  assert.doesNotMatch(String(account["display_name"]), /[\u202a-\u202e\u2066-\u2069\0\n]/);
};

/** Checks every answer and page that shows a remote or a local status. */
const assertShownHarmless = async (own: { id: string }, id: string): Promise<void> => {
  const { alice, carol } = stage;
  const { json: status } = await stage.get(`/api/v1/statuses/${id}`, alice);
  assertStatus(status, "status");
  const { json: account } = await stage.get(`/api/v1/accounts/${status.account.id}`, alice);
  assertAccount(account, "account");
  const { json: thread } = await stage.get(`/api/v1/statuses/${own.id}/context`, carol);
  for (const status of [...thread.ancestors, ...thread.descendants])
    assertStatus(status, "context");
  const { json: history } = await stage.get(`/api/v1/statuses/${id}/history`, alice);
  for (const edit of history) assertHarmless(edit.content, "history", false);
  const { json: notifications } = await stage.get("/api/v1/notifications", alice);
  for (const notification of notifications)
    if (notification.status) assertStatus(notification.status, "notification");
  for (const path of [`/@alice/${own.id}`, "/@alice", "/", "/tags/pwn", "/about"]) {
    const page = await stage.get(path);
    assert.equal(page.status, 200, path);
    assertHarmless(page.text, path, true);
    assert.doesNotMatch(withoutOwnScripts(page.text), /<script/i);
    assert.match(
      page.headers.get("content-security-policy") ?? "",
      /default-src 'none'|script-src/,
    );
  }
};

describe("The sanitiser's allowlist holds for posts, bios, names, fields, warnings, poll options, translations, cards and instance texts.", () => {
  test("of remote servers, through the inbox, shown by the API and the pages", async () => {
    const { bob, alice } = stage;
    const own = await stage.write(alice, "answer me #pwn");
    for (const [turn, payload] of [ALL, ...shareOf(PAYLOADS, 0, 2)].entries()) {
      const image = {
        type: "Image",
        mediaType: "image/png",
        url: `${stage.peer.origin}/i.png`,
        name: payload,
      };
      const emoji = { type: "Emoji", name: payload, icon: image };
      const good = {
        type: "Emoji",
        name: ":pwn:",
        icon: { type: "Image", url: `${stage.peer.origin}/i.png` },
      };
      Object.assign(bob.document, {
        name: `${payload} :pwn:`,
        summary: payload,
        tag: [emoji, good],
        icon: image,
        attachment: [
          { type: "PropertyValue", name: payload, value: payload },
          {
            type: "PropertyValue",
            name: ":pwn:",
            value: `<a href="https://a.test/:pwn:">:pwn:</a>${payload}`,
          },
        ],
      });
      await stage.send(bob, { type: "Update", object: bob.uri });
      const mention = { type: "Mention", href: stage.uriOf(alice), name: payload };
      const object = await stage.create(bob, {
        content: `${payload} <a href="https://a.test/:pwn:" title=":pwn:">:pwn:</a>`,
        summary: `${payload} :pwn:`,
        name: payload,
        tag: [
          mention,
          emoji,
          good,
          { type: "Hashtag", name: payload },
          { type: "Hashtag", name: "#pwn" },
        ],
        attachment: [image],
        inReplyTo: own.uri,
        contentMap: { [payload]: payload },
        language: payload,
      });
      const id = await stage.statusId(object["id"]);
      assert.ok(id, payload);
      if (turn % 8 === 0) await assertShownHarmless(own, id);
      else assertStatus((await stage.get(`/api/v1/statuses/${id}`, alice)).json, payload);
    }
  });

  test("in poll options, which are text, of remote servers and local people", async () => {
    const own = await stage.write(stage.alice, "vote #pwn");
    const titles = [...PAYLOADS.filter((text) => text.length < 400).slice(0, 20), "plain"];
    const object = await stage.create(stage.bob, {
      type: "Question",
      content: "<p>which? #pwn</p>",
      inReplyTo: own.uri,
      tag: [{ type: "Hashtag", name: "#pwn" }],
      endTime: new Date(Date.now() + 3_600_000).toISOString(),
      oneOf: titles.map((name) => ({ type: "Note", name, replies: { totalItems: 0 } })),
    });
    const id = (await stage.statusId(object["id"]))!;
    const { json } = await stage.get(`/api/v1/statuses/${id}`, stage.alice);
    assert.ok(json.poll.options.length > 1);
    for (const { title } of json.poll.options) assert.doesNotMatch(title, /[\0\n\u202a-\u202e]/);
    await assertShownHarmless(own, id);
    const options = PAYLOADS.filter((text) => !text.includes("\0")).slice(0, 4);
    const poll = { options: options.map((text) => text.slice(0, 50)), expires_in: 600 };
    const question = await stage.write(stage.alice, "mine", { poll });
    await assertShownHarmless(question, question.id);
  });

  test("of remote servers, in edits", async () => {
    const own = await stage.write(stage.alice, "before");
    const object = await stage.create(stage.bob, { inReplyTo: own.uri });
    await stage.send(stage.bob, {
      type: "Update",
      object: { ...object, content: ALL, summary: ALL, updated: new Date().toISOString() },
    });
    const id = (await stage.statusId(object["id"]))!;
    assert.match((await stage.get(`/api/v1/statuses/${id}`, stage.alice)).json.spoiler_text, /pwn/);
    await assertShownHarmless(own, id);
  });

  test("of local people", async () => {
    const { alice, server } = stage;
    const texts = shareOf(PAYLOADS, 1, 2).filter((text) => !text.includes("\0"));
    for (const [turn, payload] of texts.entries()) {
      const profile = {
        display_name: payload.slice(0, 30),
        note: payload,
        fields_attributes: [{ name: payload, value: payload }],
      };
      await alice.patch("/api/v1/accounts/update_credentials", profile).ok();
      const own = await stage.write(alice, payload, { spoiler_text: payload.slice(0, 50) });
      if (turn % 8 === 0) await assertShownHarmless(own, own.id);
      else assertStatus((await stage.get(`/api/v1/statuses/${own.id}`)).json, payload);
      const page = await server.visitor.get(`/@alice/${own.id}`, { accept: "text/html" });
      assertHarmless(page.text, payload, true);
      assert.doesNotMatch(/<title>(.*?)<\/title>/s.exec(page.text)?.[1] ?? "", /</);
    }
  });

  test("of apps, in the posts that they make", async () => {
    const bad = { client_name: ALL, redirect_uris: "urn:ietf:wg:oauth:2.0:oob" };
    for (const website of ["javascript:pwn()", "data:text/html,x"]) {
      const { status, json } = await stage.server.visitor.post("/api/v1/apps", {
        ...bad,
        client_name: "x",
        website,
      });
      assert.ok(status === 422 || json.website === null, `${status} ${json?.website}`);
    }
    for (const redirect_uris of [
      "javascript:pwn()",
      "data:text/html,x",
      "vbscript:x",
      " javascript:pwn()",
    ]) {
      const { status } = await stage.server.visitor.post("/api/v1/apps", {
        client_name: "x",
        redirect_uris,
      });
      assert.equal(status, 422, redirect_uris);
    }
  });
});

test("A shortened link's text cannot hide its real host.", async () => {
  const hidden = (href: string, before: string, shown: string, after: string) =>
    `<p><a href="${href}"><span class="invisible">${before}</span><span class="ellipsis">${shown}</span><span class="invisible">${after}</span></a></p>`;
  const lies = [
    hidden("https://evil.test/", "https://", "bank.test/login", ""),
    hidden("https://evil.test/bank.test/a", "https://evil.test/", "bank.test/a", ""),
    hidden("https://bank.test.evil.test/", "https://", "bank.test", ".evil.test/"),
    hidden("https://bank.test@evil.test/", "https://", "bank.test", "@evil.test/"),
    hidden("https://evil.test/", "https://evil.test/?", "https://bank.test", ""),
    hidden("https://evil.test/", "https://", "<b>bank</b>.test", "evil.test/"),
  ];
  for (const content of lies) {
    const object = await stage.create(stage.bob, { content });
    const { json } = await stage.get(
      `/api/v1/statuses/${await stage.statusId(object["id"])}`,
      stage.alice,
    );
    assert.doesNotMatch(json.content, /class="(?:invisible|ellipsis)/, content);
  }
  const honest = hidden("https://a.test/x/y", "https://", "a.test/x", "/y");
  const object = await stage.create(stage.bob, { content: honest });
  const { json } = await stage.get(
    `/api/v1/statuses/${await stage.statusId(object["id"])}`,
    stage.alice,
  );
  assert.match(json.content, /class="invisible"/);
});

test("Titles are escaped in HTML heads, feeds, mails and OpenGraph.", async () => {
  const { server } = stage;
  const mails: Mail[] = [];
  server.app.mail = { send: async (mail) => void mails.push(mail), close: () => {} };
  // Those that end what a title can stand in; titles are cut, so each is one.
  const enders = PAYLOADS.filter(
    (text) => /^(?:["'<&\]]|<script)/.test(text) && text.length < 28 && !text.includes("\0"),
  );
  for (const [turn, payload] of enders.entries()) {
    const name = payload.slice(0, 30);
    const form = { display_name: name, note: payload };
    await stage.alice.patch("/api/v1/accounts/update_credentials", form);
    const { id, url } = (await stage.write(stage.alice, `${payload} #titel @carol`, {
      spoiler_text: payload,
    })) as unknown as { id: string; url: string };
    const query = new URLSearchParams({ url });
    const paths = [`/@alice/${id}`, "/@alice", "/tags/titel", `/@alice/${id}/embed`];
    const all = [...paths, "/@alice.rss", "/tags/titel.rss", `/api/oembed?${query}`];
    for (const path of shareOf(all, turn, 2)) {
      const page = await stage.get(path);
      assert.equal(page.status, 200, path);
      assertEscaped(path.startsWith("/api") ? page.json.html : page.text, `${path}: ${payload}`);
    }
    const { json } = await stage.get(`/api/oembed?${query}`);
    assert.ok(json.author_name.includes(name.trim()), "JSON is not HTML");
    assertEscaped(mails.at(-1)!.html, `mail: ${payload}`);
    assert.doesNotMatch(mails.at(-1)!.subject, /[\r\n]/);
  }
  assert.equal(mails.length, enders.length);
});

test("Emoji shortcodes and file names are limited; no path leaves its folder.", async () => {
  const icon = { type: "Image", url: `${stage.peer.origin}/e.png` };
  const names = [
    "../../etc/passwd",
    "a b",
    'a"b',
    "a:b",
    "<b>",
    "",
    "::",
    "x".repeat(500),
    "é",
    "__proto__x\n",
    "%2e%2e",
  ];
  const tag = [
    ...names.map((name) => ({ type: "Emoji", name: `:${name}:`, icon })),
    { type: "Emoji", name: ":__proto__:", icon },
    { type: "Emoji", name: ":fine:", icon },
  ];
  const object = await stage.create(stage.bob, {
    tag,
    content: names.map((name) => `:${name}:`).join(" "),
  });
  const { json } = await stage.get(
    `/api/v1/statuses/${await stage.statusId(object["id"])}`,
    stage.alice,
  );
  assert.deepEqual(
    json.emojis
      .map((emoji: Json) => emoji["shortcode"])
      .filter((name: string) => name !== "__proto__"),
    ["fine"],
  );
  for (const path of [
    "/assets/../../package.json",
    "/assets/..%2f..%2fpackage.json",
    "/icons/..%2f48.png",
    "/avatars/%2e%2e/%2e%2e/package.json",
    "/assets/%00",
  ]) {
    const { status } = await stage.get(path);
    assert.ok(status === 404 || status === 400, `${path}: ${status}`);
  }
});

describe("Hostile JSON of remote servers is stored as far as possible, and nothing fails", () => {
  const kinds = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];
  const numbers = [1e308, -1e308, 1e21, -0, 2 ** 63, 0.1, Number.MAX_SAFE_INTEGER + 2];
  const shapes: [name: string, members: () => Json][] = [
    ...kinds.map((kind): [string, () => Json] => [
      `types called ${kind}`,
      () => ({
        attachment: [
          { type: kind, url: "https://a.test/x" },
          { type: [kind, "Image"], url: "https://a.test/y", mediaType: kind },
        ],
        tag: [{ type: kind, name: kind, href: kind }],
        contentMap: JSON.parse(`{"${kind}":"x"}`),
        language: { identifier: kind },
      }),
    ]),
    ...numbers.map((number): [string, () => Json] => [
      `numbers like ${number}`,
      () => ({
        attachment: [
          {
            type: "Image",
            url: "https://a.test/x",
            width: number,
            height: number,
            focalPoint: [number, number],
            duration: number,
          },
        ],
        sensitive: number,
        published: number,
        totalItems: number,
      }),
    ]),
    ...[
      "0000-01-01",
      "9999999-01-01",
      "-271821-04-20T00:00:00Z",
      "275760-09-13T00:00:00Z",
      "2026-02-31",
      "NaN",
      "1e9",
    ].map((date): [string, () => Json] => [
      `the date ${date}`,
      () => ({ published: date, updated: date }),
    ]),
  ];
  for (const [name, members] of shapes) {
    test(name, async () => {
      const object = await stage.create(stage.bob, members());
      const id = await stage.statusId(object["id"]);
      assert.ok(id);
      assert.equal((await stage.get(`/api/v1/statuses/${id}`, stage.alice)).status, 200);
      const failed = await stage.server.app.sql`SELECT 1 FROM incoming_activities`;
      assert.equal(failed.length, 0);
    });
  }

  test("keys twice, prototypes and deep members", async () => {
    const { bob, server } = stage;
    const id = `${stage.peer.origin}/notes/raw1`;
    const note = `{"id":"${id}","type":"Note","attributedTo":"${stage.eve.uri}","attributedTo":"${bob.uri}","content":"<b>1</b>","content":"2","to":["${PUBLIC}"],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"tag":${"[".repeat(40)}${"]".repeat(40)}}`;
    const rawBody = `{"id":"${id}#c","type":"Create","actor":"${bob.uri}","__proto__":{"polluted":1,"actor":"x"},"object":${note}}`;
    assert.equal((await stage.post(bob, {}, { rawBody })).status, 202);
    await server.runJobs();
    assert.equal(({} as Json)["polluted"], undefined);
    assert.ok(await stage.statusId(id));
    const twice = `{"id":"${id}#d","type":"Like","actor":"${stage.mallory.uri}","actor":"${bob.uri}","object":"x"}`;
    assert.equal((await stage.post(stage.eve, {}, { rawBody: twice })).status, 202);
  });
});
