// Names: handles and URLs of this server that others claim, and all the ways to spell our domain.
// The table of cases is in identity.test.ts.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TEST_KEYS } from "../keys.ts";
import { ACTIVITY, actorAt, answers, finger, jrd, startRaw } from "./raw.ts";
import type { RawServer } from "./raw.ts";
import { PUBLIC, requestsOf, startStage, unchanged } from "./stage.ts";
import type { Json, Stage } from "./stage.ts";

type Served = ReturnType<Parameters<typeof answers>[0]>;

let stage: Stage;
let raw: RawServer;
let served: Served = {};

before(async () => {
  stage = await startStage();
  raw = await startRaw(answers(() => served));
});
after(async () => {
  await raw.close();
  await stage.close();
});

const actor = (members: Json = {}): Json => actorAt(raw.origin, members);

describe("WebFinger of another host cannot claim a handle here; handle and actor must confirm each other, over redirects too.", () => {
  const accts = async (q: string) =>
    (await stage.resolve(q)).accounts.map((account) => account["acct"]);
  const nobody = async (q: string, table: () => Served): Promise<void> => {
    served = table();
    await unchanged(stage, async () => assert.deepEqual(await accts(q), []), 4);
  };
  const x = () => `x@${raw.host}`;
  const ours = () => new URL(stage.server.url).host;

  test("a subject of ours", () =>
    nobody(x(), () => ({
      [finger(x())]: jrd(`acct:alice@${ours()}`, `${raw.origin}/a`),
      "/a": { type: ACTIVITY, body: actor() },
    })));
  test("an actor of ours", () =>
    nobody(x(), () => ({ [finger(x())]: jrd(`acct:${x()}`, stage.uriOf(stage.alice)) })));
  test("an actor on another server that has another handle", () =>
    nobody(x(), () => ({ [finger(x())]: jrd(`acct:${x()}`, stage.bob.uri) })));
  test("a subject on another server whose host names another actor", () =>
    nobody(x(), () => ({
      [finger(x())]: jrd(`acct:bob@${stage.peer.host}`, `${raw.origin}/a`),
      "/a": { type: ACTIVITY, body: actor() },
    })));
  test("a redirect to our own answer", () =>
    nobody(x(), () => ({
      [finger(x())]: {
        ...jrd("", ""),
        status: 302,
        location: `${stage.server.url}${finger(`alice@${ours()}`)}`,
      },
    })));
  test("an actor that claims a handle of ours", () =>
    nobody(`${raw.origin}/a`, () => ({
      "/a": { type: ACTIVITY, body: actor({ webfinger: `acct:alice@${ours()}` }) },
    })));
  test("an actor that claims a handle of another server", () =>
    nobody(`${raw.origin}/a`, () => ({
      "/a": { type: ACTIVITY, body: actor({ webfinger: `acct:bob@${stage.peer.host}` }) },
    })));
  test("an actor whose own host does not know it", () =>
    nobody(`${raw.origin}/a`, () => ({
      "/a": { type: ACTIVITY, body: actor() },
      [finger(`a@${raw.host}`)]: jrd(`acct:a@${raw.host}`, `${raw.origin}/other`),
    })));
  test("an answer that is no WebFinger", () =>
    nobody(x(), () => ({
      [finger(x())]: {
        type: "text/html",
        body: JSON.stringify(jrd(`acct:${x()}`, `${raw.origin}/a`).body),
      },
    })));
  test("when both agree it is found", async () => {
    served = {
      [finger(`a@${raw.host}`)]: jrd(`acct:a@${raw.host}`, `${raw.origin}/a`),
      "/a": { type: ACTIVITY, body: actor() },
    };
    assert.deepEqual(await accts(`a@${raw.host}`), [`a@${raw.host}`]);
  });
});

test("A remote document that claims an id of ours is refused.", async () => {
  const own = await stage.write(stage.alice, "mine");
  const alice = stage.uriOf(stage.alice);
  const note = { type: "Note", content: "x", to: [PUBLIC], attributedTo: stage.bob.uri };
  const table: Record<string, Json> = {
    "/1": actor({ id: alice }),
    "/2": { ...note, id: own.uri },
    "/3": { ...note, id: `${raw.origin}/3`, attributedTo: alice },
    "/4": { ...note, id: `${alice}/statuses/1` },
    "/5": actor({
      id: `${raw.origin}/5`,
      publicKey: {
        id: `${alice}#main-key`,
        owner: alice,
        publicKeyPem: TEST_KEYS[2]!.publicKeyPem,
      },
    }),
    "/6": {
      ...note,
      id: `${stage.server.url.replace("http:", "https:")}/users/alice/statuses/${own.id}`,
    },
  };
  served = Object.fromEntries(
    Object.entries(table).map(([path, body]) => [path, { type: ACTIVITY, body }]),
  );
  served["/7"] = { type: ACTIVITY, body: "", status: 302, location: own.uri };
  await unchanged(
    stage,
    async () => {
      for (const path of Object.keys(served)) {
        const results = await stage.resolve(`${raw.origin}${path}`);
        assert.deepEqual([results.accounts, results.statuses], [[], []], path);
      }
    },
    2,
  );
  await unchanged(stage, async () => {
    for (const id of [own.uri, `${alice}/statuses/99`, alice]) {
      for (const type of ["Create", "Update"]) {
        await stage.post(stage.bob, { type, object: { ...note, id } });
      }
      await stage.post(stage.bob, { id, type: "Announce", object: own.uri, to: [PUBLIC] });
      await stage.post(stage.bob, {
        type: "Add",
        object: id,
        target: stage.bob.document["featured"],
      });
    }
  });
});

describe("IDN, case, trailing dot and port variants of a domain meet the same domain block.", () => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const VARIANTS = [
    "bücher.example",
    "BÜCHER.example",
    "xn--bcher-kva.example",
    "XN--BCHER-KVA.EXAMPLE",
    "bücher.example.",
    "bücher.example:80",
    "bücher.example.:80",
  ];
  let idn: Stage;
  before(async () => {
    const env = {
      PORT: String(port),
      LOCAL_DOMAIN: "Bücher.example",
      WEB_DOMAIN: `127.0.0.1:${port}`,
    };
    idn = await startStage({ env });
  });
  after(() => idn.close());
  const none = (work: () => Promise<unknown>) => unchanged(idn, work);

  for (const host of VARIANTS) {
    test(`${host} is ours: in WebFinger, search, actor ids, key ids and object ids`, async () => {
      const resource = encodeURIComponent(`acct:alice@${host}`);
      assert.equal((await idn.get(`/.well-known/webfinger?resource=${resource}`)).status, 200);
      const origin = `http://${host}`;
      await none(async () => {
        const results = await idn.resolve(`@alice@${host}`);
        assert.deepEqual(
          results.accounts.map((account) => account["acct"]),
          ["alice"],
        );
        assert.equal((await idn.resolve(`${origin}/users/nobody`)).accounts.length, 0);
        const { status } = await idn.post(idn.bob, {
          type: "Follow",
          actor: `${origin}/users/carol`,
          object: idn.uriOf(idn.alice),
        });
        assert.ok(status === 403 || status === 400, String(status));
        const keyed = await idn.post(
          idn.bob,
          { type: "Like", object: "x" },
          { keyId: encodeURI(`${origin}/users/alice`) },
        );
        assert.ok(keyed.status === 403 || keyed.status === 401, String(keyed.status));
        await idn.post(idn.bob, {
          type: "Create",
          object: {
            type: "Note",
            id: `${origin}/notes/1`,
            attributedTo: idn.bob.uri,
            content: "x",
            to: [PUBLIC],
          },
        });
      });
    });
  }
  test("a mention with any of them is a mention of a local person, without a request", async () => {
    const before = requestsOf(idn.peer, idn.otherPeer);
    for (const host of VARIANTS.slice(0, 4)) {
      const { json } = await idn.get(
        `/api/v1/statuses/${(await idn.write(idn.alice, `hi @carol@${host} !`)).id}`,
      );
      assert.deepEqual(
        json.mentions.map((mention: Json) => mention["acct"]),
        ["carol"],
        host,
      );
    }
    assert.equal(requestsOf(idn.peer, idn.otherPeer), before);
  });
});
