// Identity and signatures: who may act as whom, through the real inbox and the real fetches.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { PeerActor } from "../fake-peer.ts";
import { TEST_KEYS } from "../keys.ts";
import {
  ACTIVITY,
  actorAt,
  answers,
  craft,
  digestOf,
  finger,
  jrd,
  keyAt,
  startRaw,
} from "./raw.ts";
import type { Crafted, RawServer } from "./raw.ts";
import { PUBLIC, picture, startStage, unchanged } from "./stage.ts";
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

const followBody = (actor: string, id = `${actor}#f/${Math.random()}`): string =>
  JSON.stringify({ id, type: "Follow", actor, object: stage.uriOf(stage.alice) });

/** Sends as bob, unless given otherwise, and expects a refusal without effect. */
const refused = (crafted: Partial<Crafted>, requests = 0): Promise<void> =>
  unchanged(
    stage,
    async () => {
      const { keyId, privateKeyPem } = stage.bob;
      const body = followBody(stage.bob.uri);
      const status = await craft(stage.server.url, { body, keyId, privateKeyPem, ...crafted });
      assert.ok(status >= 400 && status < 500, String(status));
    },
    requests,
  );

describe("A body changed after signing, a missing digest, a digest outside the signed headers: refused.", () => {
  const USUAL = ["(request-target)", "host", "date", "digest"];
  const cases: [name: string, given: () => Partial<Crafted>][] = [
    ["no digest at all", () => ({ headers: { digest: undefined }, signed: USUAL.slice(0, 3) })],
    ["a digest that is not signed", () => ({ signed: USUAL.slice(0, 3) })],
    ["a signed digest that is not sent", () => ({ headers: { digest: undefined } })],
    ["the digest of another body", () => ({ headers: { digest: digestOf("{}") } })],
    ["the digest of nothing", () => ({ headers: { digest: digestOf("") } })],
    ["an empty digest", () => ({ headers: { digest: "SHA-256=" } })],
    ["a digest of another kind", () => ({ headers: { digest: "MD5=1B2M2Y8AsgTpgAmY7PhCfg==" } })],
    ["a cut digest", () => ({ headers: { digest: digestOf("{}").slice(0, 20) } })],
  ];
  for (const [name, crafted] of cases) test(name, () => refused(crafted()));
});

describe("A signature that leaves out method, target or host; or is for another host; or is outside the time window: refused.", () => {
  const hours = (n: number) => new Date(Date.now() + n * 3600_000).toUTCString();
  const created = (seconds: number): Partial<Crafted> => ({
    algorithm: "hs2019",
    signed: ["(request-target)", "host", "(created)", "digest"],
    pretend: { "(created)": String(seconds) },
    extra: `,created=${seconds}`,
  });
  const now = () => Math.floor(Date.now() / 1000);
  const cases: [name: string, given: () => Partial<Crafted>, requests?: number][] = [
    ["no target", () => ({ signed: ["host", "date", "digest"] })],
    ["no host", () => ({ signed: ["(request-target)", "date", "digest"] })],
    ["no date", () => ({ signed: ["(request-target)", "host", "digest"] })],
    ["a date that is not sent", () => ({ headers: { date: undefined } })],
    ["another method", () => ({ pretend: { "(request-target)": "get /inbox" } }), 3],
    ["another target", () => ({ pretend: { "(request-target)": "post /users/alice/inbox" } }), 3],
    ["another host", () => ({ headers: { host: "other.example" } })],
    ["another host in the signature alone", () => ({ pretend: { host: "other.example" } }), 3],
    ["13 hours old", () => ({ headers: { date: hours(-13) } })],
    ["two hours ahead", () => ({ headers: { date: hours(2) } })],
    ["no time", () => ({ headers: { date: "yesterday" } })],
    ["created long ago", () => created(now() - 13 * 3600)],
    ["created tomorrow", () => created(now() + 86_400)],
    ["expired", () => ({ extra: `,expires=${now() - 10}` })],
    ["a shared secret", () => ({ algorithm: "hmac-sha256" })],
    ["no algorithm that there is", () => ({ algorithm: "none" })],
    ["the key of another on the host", () => ({ privateKeyPem: stage.eve.privateKeyPem }), 3],
    ["a part of the actor that is no key", () => ({ keyId: `${stage.bob.uri}#other` }), 3],
  ];
  for (const [name, crafted, requests] of cases) test(name, () => refused(crafted(), requests));

  test("The same activity again has no second effect.", async () => {
    const own = await stage.write(stage.alice, "like me");
    const body = JSON.stringify({
      id: stage.nextId(stage.bob),
      type: "Like",
      actor: stage.bob.uri,
      object: own.uri,
    });
    const { keyId, privateKeyPem } = stage.bob;
    assert.equal(await craft(stage.server.url, { body, keyId, privateKeyPem }), 202);
    await stage.server.runJobs();
    await unchanged(stage, async () => {
      for (let n = 0; n < 3; n++) await craft(stage.server.url, { body, keyId, privateKeyPem });
      await craft(stage.server.url, { body, keyId, privateKeyPem, path: "/users/alice/inbox" });
    });
  });
});

test("An activity whose signer is on host A and whose actor is on host B is refused before any side effect.", async () => {
  const own = await stage.write(stage.alice, "not yours");
  const { mallory, bob } = stage;
  await stage.send(mallory, { type: "Follow", object: stage.uriOf(stage.carol) });
  const forged: Json[] = [
    { type: "Follow", object: stage.uriOf(stage.alice) },
    { type: "Like", object: own.uri },
    { type: "Announce", object: own.uri, to: [PUBLIC] },
    { type: "Block", object: stage.uriOf(stage.alice) },
    { type: "Delete", object: bob.uri },
    { type: "Undo", object: { type: "Follow", actor: bob.uri, object: stage.uriOf(stage.carol) } },
    {
      type: "Create",
      object: {
        id: `${stage.otherPeer.origin}/n/1`,
        type: "Note",
        attributedTo: bob.uri,
        content: "x",
        to: [PUBLIC],
      },
    },
  ];
  for (const activity of forged) {
    await unchanged(stage, () =>
      stage.post(mallory, { ...activity, actor: bob.uri, id: stage.nextId(bob) }),
    );
  }
  await unchanged(stage, () =>
    stage.post(mallory, {
      type: "Follow",
      actor: [bob.uri, mallory.uri],
      object: stage.uriOf(stage.alice),
    }),
  );
});

const actor = (members: Json = {}): Json => actorAt(raw.origin, members);
const key = (members: Json = {}): Json => keyAt(raw.origin, members);

/** Signs with the third test key under `keyId`, as `uri`, and expects a refusal. */
const keyRefused = async (keyId: string, uri: string): Promise<void> => {
  served[finger(`a@${raw.host}`)] ??= jrd(`acct:a@${raw.host}`, `${raw.origin}/a`);
  await stage.server.app.kv.delete(`key-away:${keyId}`);
  await unchanged(
    stage,
    async () => {
      const crafted = { body: followBody(uri), keyId, privateKeyPem: TEST_KEYS[2]!.privateKeyPem };
      assert.equal(await craft(stage.server.url, crafted), 401);
    },
    3,
  );
};

describe("A key document that names another owner, or whose owner does not name the key back, is refused.", () => {
  const doc = (body: unknown, type = ACTIVITY) => ({ type, body });
  const cases: [name: string, keyPath: string, table: () => Served, as?: () => PeerActor][] = [
    [
      "an owner on another server",
      "/k",
      () => ({ "/k": doc(key({ owner: stage.bob.uri })) }),
      () => stage.bob,
    ],
    ["an owner here", "/k", () => ({ "/k": doc(key({ owner: stage.uriOf(stage.alice) })) })],
    ["an owner who names another key", "/k", () => ({ "/k": doc(key()), "/a": doc(actor()) })],
    [
      "an owner without keys",
      "/k",
      () => ({ "/k": doc(key()), "/a": doc(actor({ publicKey: [] })) }),
    ],
    [
      "an actor whose key has another owner",
      "/a#main-key",
      () => ({
        "/a": doc(
          actor({ publicKey: { ...(actor()["publicKey"] as Json), owner: stage.bob.uri } }),
        ),
      }),
      () => stage.bob,
    ],
    [
      "an actor whose key is on another server",
      "/a#main-key",
      () => ({
        "/a": doc(actor({ publicKey: { ...(actor()["publicKey"] as Json), id: stage.bob.keyId } })),
      }),
      () => stage.bob,
    ],
    ["no type of ActivityPub", "/a#main-key", () => ({ "/a": doc(actor(), "application/json") })],
    ["a page", "/a#main-key", () => ({ "/a": doc(actor(), "text/html") })],
    [
      "a redirect to another actor",
      "/a#main-key",
      () => ({ "/a": { ...doc(""), status: 302, location: stage.mallory.uri } }),
      () => stage.mallory,
    ],
    [
      "an inbox on another server",
      "/a#main-key",
      () => ({ "/a": doc(actor({ inbox: `${stage.peer.origin}/inbox` })) }),
    ],
  ];
  for (const [name, keyPath, table, as] of cases) {
    test(name, async () => {
      served = table();
      await keyRefused(`${raw.origin}${keyPath}`, as?.().uri ?? `${raw.origin}/a`);
    });
  }
});

test("A key that is too small, of another kind or none is refused, whatever its owner.", async () => {
  const spki = { type: "spki", format: "pem" } as const;
  const weak = generateKeyPairSync("rsa", { modulusLength: 512 });
  const curved = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const none = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----";
  const keys: [pem: string, signer: string][] = [
    [
      String(weak.publicKey.export(spki)),
      String(weak.privateKey.export({ type: "pkcs8", format: "pem" })),
    ],
    [
      String(curved.publicKey.export(spki)),
      String(curved.privateKey.export({ type: "pkcs8", format: "pem" })),
    ],
    [none, TEST_KEYS[2]!.privateKeyPem],
  ];
  for (const [index, [publicKeyPem, privateKeyPem]] of keys.entries()) {
    const id = `${raw.origin}/w${index}`;
    const publicKey = { id: `${id}#main-key`, owner: id, publicKeyPem };
    const body = actor({ id, preferredUsername: `w${index}`, publicKey });
    const name = `w${index}@${raw.host}`;
    served = { [`/w${index}`]: { type: ACTIVITY, body }, [finger(name)]: jrd(`acct:${name}`, id) };
    const { follows } = await picture(stage.server);
    const crafted = { body: followBody(id), keyId: `${id}#main-key`, privateKeyPem };
    assert.equal(await craft(stage.server.url, crafted), 401);
    await stage.server.runJobs();
    assert.equal((await picture(stage.server))["follows"], follows);
  }
});

test("A key document answered with another id than the one asked for is not cached under the asked one.", async () => {
  const other = actor({
    id: `${raw.origin}/b`,
    publicKey: {
      id: `${raw.origin}/b#main-key`,
      owner: `${raw.origin}/b`,
      publicKeyPem: TEST_KEYS[2]!.publicKeyPem,
    },
  });
  served = { "/a": { type: ACTIVITY, body: other }, "/b": { type: ACTIVITY, body: other } };
  await keyRefused(`${raw.origin}/a#main-key`, `${raw.origin}/a`);
  served = {
    "/k": { type: ACTIVITY, body: key({ id: `${raw.origin}/k2` }) },
    "/k2": { type: ACTIVITY, body: key({ id: `${raw.origin}/k2` }) },
    "/a": { type: ACTIVITY, body: actor({ publicKey: key({ id: `${raw.origin}/k2` }) }) },
  };
  await keyRefused(`${raw.origin}/k`, `${raw.origin}/a`);
});

test("An unreachable key server: 503, remembered for a short time, no storm of retries.", async () => {
  const down = await startRaw(
    (_request, response) => void response.writeHead(500).end(),
    "127.0.0.6",
  );
  await unchanged(stage, async () => {
    for (let n = 0; n < 20; n++) {
      const uri = `${down.origin}/users/u${n}`;
      const crafted = {
        body: followBody(uri),
        keyId: `${uri}#main-key`,
        privateKeyPem: TEST_KEYS[2]!.privateKeyPem,
      };
      assert.equal(await craft(stage.server.url, crafted), 503);
      assert.equal(await craft(stage.server.url, crafted), 503);
    }
  });
  assert.ok(down.paths.length <= 6, `${down.paths.length} requests`);
  await down.close();
});
