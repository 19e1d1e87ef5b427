// Linked Data Signatures: recorded ones of a Mastodon, our own, and what must not pass with them.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { verifyJsonLd } from "@fedify/fedify/sig";
import { TEST_KEYS } from "../../../test/keys.ts";
import { parsePrivateKey } from "../signatures/keys.ts";
import { provedActivity, signActivity } from "./signature.ts";

type Json = Record<string, any>;

const file = new URL("../../../test/golden/activitypub-sent.json", import.meta.url);
const { steps } = JSON.parse(readFileSync(file, "utf8")) as { steps: { received: Json[] }[] };
const recorded: Json[] = steps
  .flatMap(({ received }) => received.map(({ json }) => json as Json))
  .filter((json) => json?.["signature"]);

const keysOfRecorded = new Map<string, string>(
  recorded.flatMap(({ object }) =>
    object?.publicKey ? [[object.publicKey.id, object.publicKey.publicKeyPem]] : [],
  ),
);

const key = createPublicKey(TEST_KEYS[0]!.publicKeyPem);
const privateKey = parsePrivateKey(TEST_KEYS[0]!.privateKeyPem);
const ACTOR = "https://there.example/users/bob";
const NOW = new Date("2026-05-01T00:00:00Z");
const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

const create = (): Json => ({
  "@context": [
    "https://www.w3.org/ns/activitystreams",
    { toot: "http://joinmastodon.org/ns#", Emoji: "toot:Emoji" },
  ],
  id: `${ACTOR}/1/activity`,
  type: "Create",
  actor: ACTOR,
  to: [PUBLIC],
  object: {
    id: `${ACTOR}/1`,
    type: "Note",
    attributedTo: ACTOR,
    content: "<p>hi</p>",
    contentMap: { en: "<p>hi</p>" },
    to: [PUBLIC],
    cc: [`${ACTOR}/followers`],
    published: "2026-04-30T23:59:59Z",
    url: `${ACTOR}/1`,
    attachment: ["b", "a"].map((name) => ({
      type: "Document",
      url: `https://there.example/${name}.png`,
    })),
    tag: [
      {
        type: "Emoji",
        name: ":cat:",
        icon: { type: "Image", url: "https://there.example/cat.png" },
      },
    ],
  },
});

const signed = () =>
  signActivity(create(), { keyId: `${ACTOR}#main-key`, privateKey }, NOW) as Promise<Json>;

describe("recorded activities of a Mastodon", () => {
  for (const json of recorded) {
    const pem = keysOfRecorded.get(json["signature"].creator);
    // Actors name terms that no context has, which we do not take from others.
    if (!pem || json["object"].publicKey) continue;
    it(`${json["type"]} ${json["signature"].created}`, async () => {
      const proved = await provedActivity(json, createPublicKey(pem));
      assert.equal(proved?.["type"], json["type"]);
      assert.equal(proved?.["actor"], json["actor"]);
      if (json["type"] === "Create")
        assert.equal((proved as Json)["object"].content, json["object"].content);
      const changed = { ...json, actor: "https://mast.test/users/bob" };
      assert.equal(await provedActivity(changed, createPublicKey(pem)), null);
    });
  }
});

it("signs what others accept, and reads it as it was", async () => {
  const activity = await signed();
  const document = {
    id: `${ACTOR}#main-key`,
    owner: ACTOR,
    publicKeyPem: TEST_KEYS[0]!.publicKeyPem,
  };
  const actor = {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
    id: ACTOR,
    type: "Person",
    publicKey: document,
  };
  const { getDocumentLoader } = await import("@fedify/fedify");
  const preloaded = getDocumentLoader();
  const documentLoader = async (url: string) =>
    url.startsWith(ACTOR)
      ? { contextUrl: null, documentUrl: url, document: actor }
      : preloaded(url);
  assert.equal(await verifyJsonLd(activity, { documentLoader, contextLoader: preloaded }), true);
  const proved = (await provedActivity(activity, key))!;
  const { object } = proved as Json;
  assert.equal(object.content, "<p>hi</p>");
  assert.deepEqual(object.contentMap, { en: "<p>hi</p>" });
  assert.deepEqual(
    object.attachment.map((attachment: Json) => attachment.url),
    ["https://there.example/b.png", "https://there.example/a.png"],
  );
  assert.equal(object.tag.icon.url, "https://there.example/cat.png");
  assert.equal(object.published, "2026-04-30T23:59:59Z");
});

describe("what others change", () => {
  const attacks: [string, (activity: Json) => Json | void][] = [
    ["the text", (a) => void (a["object"].content = "<p>bye</p>")],
    ["the actor", (a) => void (a["actor"] = "https://there.example/users/eve")],
    ["the key", (a) => void (a["signature"].creator = "https://there.example/users/eve#main-key")],
    ["the time of the signature", (a) => void (a["signature"].created = "2026-05-02T00:00:00Z")],
    [
      "a tree upside down",
      (a) => ({
        ...a["object"],
        "@context": [...a["@context"], { made: { "@reverse": "as:object" } }],
        made: { ...a, "@context": undefined, object: undefined, signature: undefined },
        signature: a["signature"],
      }),
    ],
    [
      "a part of the post in another place",
      (a) => {
        a["object"].url = { id: a["object"].id, cc: a["object"].cc };
        delete a["object"].cc;
      },
    ],
    [
      "an attachment without an absolute address",
      (a) =>
        void a["object"].attachment.push({
          id: "x",
          type: "Document",
          url: "https://evil.example/x.png",
        }),
    ],
    [
      "a context from elsewhere",
      (a) =>
        void (a["@context"] = [
          "https://www.w3.org/ns/activitystreams",
          "https://evil.example/context",
        ]),
    ],
    [
      "several documents",
      (a) => ({
        "@context": a["@context"],
        "@graph": [a, { id: "https://there.example/2", type: "Note" }],
        signature: a["signature"],
      }),
    ],
    ["no signature", (a) => void delete a["signature"]],
    ["a signature that is no object", (a) => void (a["signature"] = "x")],
  ];
  for (const [name, change] of attacks) {
    it(`refuses ${name}`, async () => {
      const activity = await signed();
      assert.equal(await provedActivity(change(activity) ?? activity, key), null);
    });
  }

  it("members that no context names are not signed, and not read", async () => {
    const activity = await signed();
    activity["object"].quote = "https://evil.example/1";
    activity["_misskey_quote"] = "https://evil.example/1";
    const proved = await provedActivity(activity, key);
    assert.ok(proved);
    assert.ok(!JSON.stringify(proved).includes("evil"));
  });

  it("other words for the same are read as what they mean", async () => {
    const activity = await signed();
    activity["@context"].push({ summary: "as:content", content: "as:summary" });
    activity["object"] = {
      ...activity["object"],
      summary: activity["object"].content,
      content: undefined,
    };
    const proved = (await provedActivity(activity, key)) as Json;
    assert.equal(proved["object"].content, "<p>hi</p>");
    assert.equal(proved["object"].summary, undefined);
  });
});
