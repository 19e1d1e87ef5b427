// Size: whatever other servers send, what is stored of it is bounded, and a page of it too. What cannot be
// stored is repaired or refused, and costs nothing but itself.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { ACTOR_LIMITS, STATUS_LIMITS } from "../../src/platform/remote-limits.ts";
import { cutBytes, cutHtml } from "../../src/platform/text/cut.ts";
import { sanitiseHtml } from "../../src/platform/text/sanitise.ts";
import { upsertSearchable } from "../../src/domain/reading/search/queries.ts";
import type { PeerActor } from "../fake-peer.ts";
import * as world from "../inbox-world.ts";
import type { Json } from "../inbox-world.ts";
import { TEST_KEYS } from "../keys.ts";

before(() => world.openWorld());
after(() => world.closeWorld());

const KIB = 1024;
const { idOfActor, send, statusByUri } = world;

/** Text that no compression makes shorter. */
const noise = (length: number, from: number): string => {
  let state = 7;
  let text = "";
  while (text.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    text += String.fromCharCode(from + (state % 5000));
  }
  return text;
};
const cjk = (length: number): string => noise(length, 0x4e00);

const mention = () => ({ type: "Mention", href: world.uriOf(world.alice), name: "@alice" });

/** A post of a stranger that mentions alice. */
const told = async (members: Json): Promise<Json> => {
  const { tag = [], ...others } = members;
  return world.create(world.eve, { tag: [mention(), ...(tag as Json[])], ...others });
};

const entityOf = async (uri: unknown): Promise<{ json: any; bytes: number }> => {
  const row = await statusByUri(uri);
  assert.ok(row, "it was not stored");
  const path = `/api/v1/statuses/${row.id}`;
  const { status, json, text } = await world.alice.get(path);
  assert.equal(status, 200, text);
  return { json, bytes: Buffer.byteLength(text) };
};

const url = (path: string) => `${world.peer.origin}/${path}`;
const long = (path: string) => url(`${path}/${"x".repeat(1900)}`);

describe("cutting", () => {
  it("leaves whole characters, and no more bytes than that", () => {
    const family = "👨‍👩‍👧‍👦";
    for (const text of ["é".repeat(50), "漢".repeat(50), family.repeat(5), "e\u0301".repeat(40)]) {
      for (let max = 0; max < 60; max++) {
        const cut = cutBytes(text, max);
        assert.ok(Buffer.byteLength(cut) <= max);
        assert.ok(text.startsWith(cut) && cut.isWellFormed());
      }
    }
    assert.equal(cutBytes(family.repeat(2), 30), family);
    assert.equal(cutBytes("e\u0301".repeat(3), 7), "e\u0301".repeat(2));
  });

  it("leaves valid HTML that the sanitiser would not change, without the first part of a link", () => {
    const html = sanitiseHtml(
      "<p>one &amp; <strong>two <em>three</em></strong></p><ul><li>x</li><li>y &lt;</li></ul>" +
        '<p><a href="https://good.example.evil.example/"><span class="invisible">https://</span>' +
        "<span>good.example.evil.example/</span></a> and more</p><blockquote>z<br>z</blockquote>",
    );
    for (let max = 0; max < html.length; max++) {
      const cut = cutHtml(html, max);
      assert.ok(Buffer.byteLength(cut) <= max, `${max}: ${cut}`);
      assert.equal(sanitiseHtml(cut), cut.trim());
      if (cut.includes("good")) assert.ok(cut.includes("evil.example/</span></a>"), cut);
    }
    assert.equal(cutHtml(html, html.length), html);
  });
});

describe("a post of 900 kB by a stranger", () => {
  const big: [string, () => Json][] = [
    ["content", () => ({ content: `<p>${"word ".repeat(180_000)}</p>` })],
    ["markup", () => ({ content: "<b>a</b>".repeat(110_000) })],
    ["controls", () => ({ content: `a${"&#1;".repeat(220_000)}` })],
    ["an article", () => ({ type: "Article", name: "t", content: cjk(280_000) })],
    ["summary", () => ({ summary: cjk(280_000) })],
    [
      "attachments",
      () => ({
        attachment: Array.from({ length: 60 }, (_, n) => ({
          type: "Document",
          mediaType: "image/png",
          url: url(`${n}.png`),
          name: cjk(5000),
        })),
      }),
    ],
    [
      "addresses of attachments",
      () => ({
        attachment: Array.from({ length: 400 }, (_, n) => ({
          type: "Document",
          mediaType: "image/png",
          url: long(`${n}`),
        })),
      }),
    ],
    [
      "poll options",
      () => ({
        type: "Question",
        oneOf: Array.from({ length: 600 }, (_, n) => ({ type: "Note", name: `${n} ${cjk(480)}` })),
      }),
    ],
    [
      "emojis",
      () => ({
        content: "<p>:a:</p>",
        tag: Array.from({ length: 400 }, (_, n) => ({
          type: "Emoji",
          name: `:e${n}:`,
          icon: { type: "Image", url: long(`e${n}`) },
        })),
      }),
    ],
    [
      "hashtags",
      () => ({
        tag: Array.from({ length: 999 }, (_, n) => ({
          type: "Hashtag",
          name: `#${cjk(240)}${n}`,
        })),
      }),
    ],
  ];
  for (const [name, members] of big) {
    it(`is stored within the limits: ${name}`, async () => {
      const object = await told(members());
      const { json, bytes } = await entityOf(object["id"]);
      assert.ok(Buffer.byteLength(json.content) <= STATUS_LIMITS.contentBytes);
      assert.ok(Buffer.byteLength(json.spoiler_text) <= STATUS_LIMITS.summaryBytes);
      const described = json.media_attachments.map(
        (attachment: Json) => `${attachment["description"] ?? ""}`,
      );
      assert.ok(Buffer.byteLength(described.join("")) <= STATUS_LIMITS.attachmentsBytes);
      assert.ok(bytes < 120 * KIB, `${bytes} bytes`);
      if (name === "an article") assert.ok(json.content.endsWith("</a></p>"));
      if (name === "content") assert.ok(json.content.endsWith("</p>"));
    });
  }

  it("mentions people of this server whatever else it mentions", async () => {
    const tag = Array.from({ length: 40 }, (_, n) => n).map((n) => {
      const actor = world.peer.actor(`${"m".repeat(1500)}${n}`, n % TEST_KEYS.length);
      return { actor, tag: { type: "Mention", href: actor.uri, name: "@m" } };
    });
    for (const { actor } of tag) {
      await world.test.write`
        INSERT INTO accounts (username, domain, uri, url, inbox_url)
        VALUES (${actor.name}, ${world.peer.host}, ${actor.uri}, ${actor.uri}, ${actor.uri})`;
    }
    const object = await world.create(world.eve, {
      tag: [...tag.map((person) => person.tag), mention()],
    });
    const { json, bytes } = await entityOf(object["id"]);
    assert.ok(json.mentions.some((mention: Json) => mention["acct"] === "alice"));
    assert.ok(bytes < 120 * KIB, `${bytes} bytes`);
  });

  it("makes no page of more than its bound", async () => {
    const { text } = await world.test.visitor.get("/api/v1/timelines/public?limit=40");
    assert.ok(Buffer.byteLength(text) < 40 * 300 * KIB, `${text.length}`);
    assert.ok((JSON.parse(text) as unknown[]).length > 5);
  });
});

describe("an actor of 900 kB", () => {
  it("is stored within the limits", async () => {
    const { eve } = world;
    const before = { ...eve.document };
    Object.assign(eve.document, {
      name: cjk(50_000),
      summary: `<p>${cjk(60_000)}</p>`,
      icon: { type: "Image", url: url("i.png"), name: cjk(20_000) },
      attachment: Array.from({ length: 60 }, () => ({
        type: "PropertyValue",
        name: cjk(1000),
        value: cjk(1500),
      })),
      alsoKnownAs: Array.from({ length: 60 }, (_, n) => long(`a${n}`)),
    });
    await send(eve, { type: "Update", object: eve.uri });
    const id = await idOfActor(eve);
    const { json, text } = await world.test.visitor.get(`/api/v1/accounts/${id}`);
    assert.ok(json.display_name.length > 100);
    assert.ok(Buffer.byteLength(json.display_name) <= ACTOR_LIMITS.nameBytes);
    assert.ok(Buffer.byteLength(json.note) <= ACTOR_LIMITS.noteBytes);
    assert.ok(Buffer.byteLength(text) < 60 * KIB, `${Buffer.byteLength(text)} bytes`);
    const [row] = await world.test.app.sql<{ bytes: number }[]>`
      SELECT octet_length(array_to_string(also_known_as, '')) AS bytes FROM accounts WHERE id = ${id}`;
    assert.ok(row!.bytes <= ACTOR_LIMITS.listBytes);
    Object.assign(eve.document, before, { alsoKnownAs: [], attachment: [], icon: null });
    await send(eve, { type: "Update", object: eve.uri });
  });
});

describe("what the database or an index does not take", () => {
  const bare = async (actor: PeerActor, activity: Json): Promise<number> => {
    const { status } = await world.peer.post(world.inbox(), actor, activity);
    await world.test.runJobs();
    return status;
  };

  it("is never a 500 of the inbox: 2,000 characters of three bytes in every address", async () => {
    const wide = cjk(2000);
    const { eve } = world;
    const at = (path: string) => url(`${path}/${wide}`);
    const activities: Json[] = [
      { id: at("id"), actor: eve.uri, type: "Like", object: at("o") },
      { id: at("id2"), actor: at("users"), type: "Like", object: at("o") },
      { id: at("id3"), actor: eve.uri, type: "Delete", object: at("gone") },
      { id: at("id4"), actor: eve.uri, type: "Undo", object: at("gone") },
      { id: at("id5"), actor: eve.uri, type: "Follow", object: world.uriOf(world.alice) },
    ];
    for (const activity of activities) {
      const status = await bare(eve, activity);
      assert.ok(status === 202 || (status >= 400 && status < 500), `${status}`);
    }
    const object = await told({
      inReplyTo: at("parent"),
      conversation: at("talk"),
      url: at("page"),
    });
    assert.ok(await statusByUri(object["id"]));
  });

  it("is no address of an unknown actor's key", async () => {
    const actor = world.peer.actor(`wide${++sent}`, 1);
    for (const member of ["inbox", "outbox", "followers", "url", "featured"])
      actor.document[member] = url(`${member}/${cjk(2000)}`);
    const status = await bare(actor, {
      id: `${actor.uri}#1`,
      actor: actor.uri,
      type: "Like",
      object: actor.uri,
    });
    assert.equal(status, 401);
  });

  it("is no pair of long addresses that were deleted before they came", async () => {
    const actor = world.peer.actor(randomBytes(700).toString("hex"), 1);
    const object = url(randomBytes(700).toString("hex"));
    await send(actor, { type: "Delete", object });
    assert.equal((await world.test.app.sql`SELECT 1 FROM incoming_activities`).length, 0);
    const [row] = await world.test.app.sql`SELECT 1 FROM early_deletes WHERE uri = ${object}`;
    assert.ok(row);
  });

  const DATES = [
    "0000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "+275760-09-13T00:00:00.000Z",
    "292277026596-12-04T15:30:08Z",
    "infinity",
    "-infinity",
    "9999-12-31T23:59:59Z",
    "1970-01-01T00:00:00Z",
    "garbage\0",
    "",
  ];
  for (const date of DATES) {
    it(`is no date: ${JSON.stringify(date)}`, async () => {
      const object = await told({
        type: "Question",
        published: date,
        updated: date,
        endTime: date,
        oneOf: [
          { type: "Note", name: "a" },
          { type: "Note", name: "b" },
        ],
      });
      const { json } = await entityOf(object["id"]);
      assert.equal(json.poll.options.length, 2);
      const actor = world.peer.actor(`dated${++sent}`, 1);
      actor.document["published"] = date;
      await send(actor, { type: "Follow", object: world.uriOf(world.alice) });
      assert.ok(await idOfActor(actor));
    });
  }

  it("is no number", async () => {
    for (const count of [1e308, -1, 2 ** 63, 2 ** 53, 1.5, "7", null, {}]) {
      const object = await told({
        type: "Question",
        votersCount: count,
        oneOf: ["a", "b"].map((name) => ({ type: "Note", name, replies: { totalItems: count } })),
      });
      const { json } = await entityOf(object["id"]);
      assert.equal(json.poll.votes_count, 0, `${count as number}`);
    }
  });

  it("is repaired or refused: NUL, halves of characters, deep nesting", async () => {
    const object = await told({ content: "<p>a\0b\ud800</p>", summary: "\udc00c\0" });
    const { json } = await entityOf(object["id"]);
    assert.match(json.content, /^<p>ab/);
    const deep = `{"id":"x","type":"Like","actor":"${world.eve.uri}","object":${"[".repeat(5000)}${"]".repeat(5000)}}`;
    const { status } = await world.peer.post(world.inbox(), world.eve, {}, { rawBody: deep });
    assert.equal(status, 400);
  });
});

let sent = 0;

describe("one bad activity in a batch", () => {
  it("is set aside in one line, without a stack, and costs the others nothing", async () => {
    const { test, eve } = world;
    const lines: { at: string; entry: Json; text: string }[] = [];
    const { log } = test.app;
    const kept = { info: log.info, warn: log.warn, error: log.error };
    for (const at of ["info", "warn", "error"] as const) {
      log[at] = ((entry: Json, text: string) => lines.push({ at, entry, text })) as never;
    }
    try {
      // It goes around the checks: a value that the database does not take.
      const bad = world.note(eve, { tag: [mention()] });
      await test.fixture((tx) =>
        tx.unsafe(`
          CREATE FUNCTION refuse_bad() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.uri = '${String(bad["id"])}' THEN RAISE program_limit_exceeded; END IF;
            RETURN NEW;
          END $$;
          CREATE TRIGGER refuse_bad BEFORE INSERT ON statuses
            FOR EACH ROW EXECUTE FUNCTION refuse_bad()`),
      );
      const good = Array.from({ length: 5 }, () => world.note(eve, { tag: [mention()] }));
      const all = [...good.slice(0, 2), bad, ...good.slice(2)];
      await Promise.all(
        all.map((object) =>
          world.peer.post(world.inbox(), eve, {
            id: world.nextId(eve),
            type: "Create",
            actor: eve.uri,
            object,
          }),
        ),
      );
      await test.runJobs();
      for (const { id } of good) assert.ok(await statusByUri(id));
      assert.equal(await statusByUri(bad["id"]), undefined);
      assert.equal((await test.app.sql`SELECT 1 FROM incoming_activities`).length, 0);
    } finally {
      Object.assign(log, kept);
      await test.write`DROP TRIGGER refuse_bad ON statuses`;
    }
    const about = lines.filter(({ entry }) => entry["activity"] !== undefined || entry["err"]);
    assert.deepEqual(
      about.map(({ text }) => text),
      ["activity refused"],
    );
    assert.equal(about[0]!.entry["err"], undefined);
    assert.equal(about[0]!.entry["why"], "54000");
  });
});

describe("a post that is deleted while it is indexed for search", () => {
  it("is left out, and the others are indexed", async () => {
    const { test, alice } = world;
    const [gone, stays] = [await world.post(alice, "gone"), await world.post(alice, "stays")];
    await test.write`DELETE FROM status_search`;
    const words = { words: "'word':1", stemmer: null, plain: [] };
    const rows = [gone, stays].map(({ id }) => ({ statusId: id, open: false, ...words }));
    const deleted = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const deleting = test.fixture(async (tx) => {
      await tx`DELETE FROM statuses WHERE id = ${gone.id}`;
      deleted.resolve();
      await go.promise;
    });
    await deleted.promise;
    const indexing = upsertSearchable(test.app.sql, rows).then(
      () => null,
      (error: unknown) => error,
    );
    setTimeout(() => go.resolve(), 200);
    await deleting;
    assert.equal(await indexing, null);
    const links = await test.app.sql<{ status_id: string }[]>`SELECT status_id FROM status_search`;
    assert.deepEqual(
      links.map((row) => row.status_id),
      [stays.id],
    );
  });
});
