// Proofs of Ed25519 (FEP-8b32): Fedify's and ours, and what must not pass with them.

import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, it } from "node:test";
import { Create, DataIntegrityProof, Note } from "@fedify/vocab";
import { signObject, verifyJsonLd, verifyProof } from "@fedify/fedify/sig";
import { getDocumentLoader } from "@fedify/fedify";
import { TEST_KEYS } from "../../../test/keys.ts";
import {
  fromMultibase,
  fromMultikey,
  toMultibase,
  toMultikey,
} from "../../platform/text/multibase.ts";
import { ACTOR_CONTEXT } from "../../domain/people/accounts/activitypub.ts";
import { signActivity } from "../linked-data/signature.ts";
import { addProof, canonicalJson, isVerified, proofOf } from "./proof.ts";

type Json = Record<string, any>;

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const ACTOR = "https://there.example/users/bob";
const KEY_ID = `${ACTOR}#ed25519-key`;
const NOW = new Date("2026-05-01T00:00:00Z");
const loader = getDocumentLoader();

const create = (): Json => ({
  "@context": "https://www.w3.org/ns/activitystreams",
  id: `${ACTOR}/1/activity`,
  type: "Create",
  actor: ACTOR,
  object: { id: `${ACTOR}/1`, type: "Note", attributedTo: ACTOR, content: "é\u2028 <p>" },
});

const proved = (): Json => addProof(create(), { keyId: KEY_ID, privateKey }, NOW);

it("canonical JSON has its members in order", () => {
  const value = {
    b: [1, { d: null, c: "\u0007" }],
    a: 1e21,
    "\u20ac": true,
    "\r": 0.1,
    x: undefined,
  };
  const expected = '{"\\r":0.1,"a":1e+21,"b":[1,{"c":"\\u0007","d":null}],"\u20ac":true}';
  assert.equal(canonicalJson(value), expected);
});

describe("multibase", () => {
  it("goes both ways, with leading zeros", () => {
    for (const hex of ["", "00", "0000ff", "ff", "ed01".padEnd(68, "0"), "12".repeat(64)]) {
      const bytes = Buffer.from(hex, "hex");
      assert.deepEqual(fromMultibase(toMultibase(bytes)), bytes);
    }
    // https://w3c-ccg.github.io/multibase/, the examples of base58btc
    assert.equal(
      toMultibase(Buffer.from("Multibase is awesome! \\o/")),
      "zYAjKoNbau5KiqmHPmSxYCvn66dA1vLmwbt",
    );
  });

  it("refuses what is no such key", () => {
    assert.ok(publicKey.equals(fromMultikey(toMultikey(privateKey))!));
    const wrong = ["", "z", "m123", "z0OIl", `z${"1".repeat(200)}`, toMultibase(Buffer.alloc(34))];
    for (const text of [...wrong, toMultibase(Buffer.from(`1200${"ab".repeat(32)}`, "hex"))]) {
      assert.equal(fromMultikey(text), null);
    }
  });
});

describe("what others change", () => {
  const attacks: [string, (a: Json) => void][] = [
    ["the text", (a) => void (a["object"].content = "bye")],
    ["the actor", (a) => void (a["actor"] = "https://there.example/users/eve")],
    ["a new member", (a) => void (a["to"] = ["x"])],
    ["the context", (a) => void (a["@context"] = "https://www.w3.org/ns/activitystreams")],
    ["the time", (a) => void (a["proof"].created = "2026-06-01T00:00:00Z")],
    ["the key", (a) => void (a["proof"].verificationMethod = `${ACTOR}#other`)],
    ["the value", (a) => void (a["proof"].proofValue = toMultibase(Buffer.alloc(64)))],
    ["no value", (a) => void delete a["proof"].proofValue],
    ["the value's form", (a) => void (a["proof"].proofValue = "z!")],
    ["a context of its own", (a) => void (a["proof"]["@context"] = "https://x.example")],
  ];
  for (const [name, change] of attacks) {
    it(`${name}: refused`, () => {
      const activity = structuredClone(proved());
      assert.equal(isVerified(activity, publicKey), true);
      change(activity);
      assert.equal(isVerified(activity, publicKey), false);
    });
  }

  it("other kinds and purposes are no proofs, other keys do not fit", () => {
    assert.deepEqual(proofOf(proved()), { keyId: KEY_ID, created: "2026-05-01T00:00:00Z" });
    for (const change of [
      { type: "Ed25519Signature2020" },
      { cryptosuite: "eddsa-rdfc-2022" },
      { proofPurpose: "authentication" },
      { verificationMethod: 1 },
    ]) {
      const activity = proved();
      assert.equal(proofOf({ ...activity, proof: { ...activity["proof"], ...change } }), null);
    }
    const rsa = createPublicKey(TEST_KEYS[0]!.publicKeyPem);
    assert.equal(isVerified(proved(), rsa), false);
    assert.equal(isVerified(proved(), generateKeyPairSync("ed25519").publicKey), false);
  });
});

/** Serves the actor with its keys. */
const documentLoader = async (url: string) =>
  url.startsWith(ACTOR)
    ? {
        contextUrl: null,
        documentUrl: url,
        document: {
          "@context": ACTOR_CONTEXT,
          id: ACTOR,
          type: "Person",
          publicKey: {
            id: `${ACTOR}#main-key`,
            owner: ACTOR,
            publicKeyPem: TEST_KEYS[0]!.publicKeyPem,
          },
          assertionMethod: [
            {
              id: KEY_ID,
              type: "Multikey",
              controller: ACTOR,
              publicKeyMultibase: toMultikey(privateKey),
            },
          ],
        },
      }
    : loader(url);

const options = { documentLoader, contextLoader: loader };

const isTakenByFedify = async (activity: Json): Promise<boolean> => {
  const { proof } = activity;
  const parsed = await DataIntegrityProof.fromJsonLd(
    { "@context": "https://w3id.org/security/data-integrity/v1", ...proof },
    options,
  );
  return (await verifyProof(activity, parsed, options)) !== null;
};

describe("Fedify", () => {
  it("takes ours, alone and with a Linked Data Signature", async () => {
    assert.equal(await isTakenByFedify(proved()), true);
    const rsa = {
      keyId: `${ACTOR}#main-key`,
      privateKey: createPrivateKey(TEST_KEYS[0]!.privateKeyPem),
    };
    const whole = { ...create(), "@context": [create()["@context"], { proof: null }] };
    const both = addProof(await signActivity(whole, rsa, NOW), { keyId: KEY_ID, privateKey }, NOW);
    assert.equal(isVerified(both, publicKey), true);
    assert.equal(await isTakenByFedify(both), true);
    assert.equal(await verifyJsonLd(both, options), true);
  });

  it("makes such as we take", async () => {
    const web = await crypto.subtle.importKey(
      "pkcs8",
      privateKey.export({ type: "pkcs8", format: "der" }),
      "Ed25519",
      true,
      ["sign"],
    );
    const note = new Note({ id: new URL(`${ACTOR}/2`), content: "hello" });
    const activity = new Create({
      id: new URL(`${ACTOR}/2/a`),
      actor: new URL(ACTOR),
      object: note,
    });
    const signed = await signObject(activity, web, new URL(KEY_ID), options);
    const json = (await signed.toJsonLd({ format: "compact", ...options })) as Json;
    assert.equal(isVerified(json, publicKey), true);
    json["object"].content = "bye";
    assert.equal(isVerified(json, publicKey), false);
  });
});
