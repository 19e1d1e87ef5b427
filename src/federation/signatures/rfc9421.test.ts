// HTTP Message Signatures (RFC 9421): with Fedify both ways, through the real inbox, and what is refused.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { signRequest as signAsFedify, verifyRequest as verifyAsFedify } from "@fedify/fedify/sig";
import { addEd25519 } from "../../../test/fake-peer.ts";
import * as w from "../../../test/inbox-world.ts";
import { TEST_KEYS } from "../../../test/keys.ts";
import { statusOf } from "../../platform/http/http-error.ts";
import { fromMultikey } from "../../platform/text/multibase.ts";
import { knowsEd25519 } from "./forms.ts";
import { parsePrivateKey } from "./keys.ts";
import { parseSignature } from "./parse.ts";
import { signMessage } from "./rfc9421.ts";
import { checkSignature, verifySignature } from "./verify.ts";

type Json = Record<string, unknown>;

const KEY_ID = "https://rookery.test/users/alice#main-key";
const URL_ = "https://peer.test/inbox?x=1";
const TYPE = "application/activity+json";
const NOW = new Date();
const pem = TEST_KEYS[0]!;
const privateKey = parsePrivateKey(pem.privateKeyPem);
const publicKey = createPublicKey(pem.publicKeyPem);
const body = '{"type":"Follow"}';

const received = (headers: Record<string, string>, text = body) => ({
  method: "POST",
  target: "/inbox?x=1",
  headers,
  body: Buffer.from(text),
});

const accepts = (request: ReturnType<typeof received>): boolean => {
  const parsed = parseSignature(request.headers);
  checkSignature(parsed, request, { hosts: ["peer.test"], now: NOW });
  return verifySignature(parsed, request, publicKey);
};

const ours = (more = {}) =>
  signMessage({
    method: "POST",
    url: URL_,
    body,
    keyId: KEY_ID,
    privateKey,
    contentType: TYPE,
    date: NOW,
    ...more,
  });

describe("Fedify", () => {
  it("accepts ours", async () => {
    const document = {
      "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
      id: "https://rookery.test/users/alice",
      type: "Person",
      publicKey: {
        id: KEY_ID,
        owner: "https://rookery.test/users/alice",
        publicKeyPem: pem.publicKeyPem,
      },
    };
    const documentLoader = async (documentUrl: string) => ({
      contextUrl: null,
      documentUrl,
      document,
    });
    const request = new Request(URL_, { method: "POST", headers: ours(), body });
    const key = await verifyAsFedify(request, { documentLoader });
    assert.equal(key?.id?.href, KEY_ID);
  });

  it("is accepted", async () => {
    const der = Buffer.from(pem.privateKeyPem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("pkcs8", der, algorithm, true, ["sign"]);
    const plain = new Request(URL_, {
      method: "POST",
      body,
      headers: { "content-type": TYPE, host: "peer.test" },
    });
    const signed = await signAsFedify(plain, key, new URL(KEY_ID), { spec: "rfc9421" });
    const headers = { host: "peer.test", ...Object.fromEntries(signed.headers) };
    assert.ok(accepts(received(headers)));
  });
});

describe("what is refused", () => {
  const without = (name: string) => (headers: Record<string, string>) => {
    const input = headers["signature-input"]!.replace(`"${name}"`, "").replace("( ", "(");
    return { ...headers, "signature-input": input };
  };
  const replaced =
    (name: string, from: string | RegExp, to: string) => (headers: Record<string, string>) => ({
      ...headers,
      [name]: headers[name]!.replace(from, to),
    });
  const cases: [string, (headers: Record<string, string>) => Record<string, string>, string][] = [
    ["a method that is not signed", without("@method"), "coverage"],
    ["an address that is not signed", without("@target-uri"), "coverage"],
    ["a body that is not signed", without("content-digest"), "coverage"],
    ["another host", (h) => ({ ...h, host: "other.test" }), "host"],
    ["a missing header", (h) => ({ ...h, "content-type": undefined as never }), "coverage"],
    ["no time", replaced("signature-input", /;created=\d+/, ""), "malformed"],
    ["an old one", () => ours({ date: new Date(NOW.getTime() - 13 * 3600_000) }), "time"],
    ["one of tomorrow", () => ours({ date: new Date(NOW.getTime() + 2 * 3600_000) }), "time"],
    ["an expired one", replaced("signature-input", /;keyid/, ";expires=1;keyid"), "time"],
    [
      "another algorithm",
      replaced("signature-input", "rsa-v1_5-sha256", "hmac-sha256"),
      "algorithm",
    ],
    ["another digest", replaced("content-digest", /:.*:/, ":AAAA:"), "digest"],
    ["no digest", (h) => ({ ...h, "content-digest": "md5=:AAAA:" }), "digest"],
    [
      "components with parameters",
      replaced("signature-input", '"@method"', '"@method";req'),
      "malformed",
    ],
    [
      "a component twice",
      replaced("signature-input", '"@method"', '"@method" "@method"'),
      "malformed",
    ],
    ["another label", replaced("signature", "sig1", "sig2"), "malformed"],
    ["no key", replaced("signature-input", /;keyid="[^"]*"/, ""), "malformed"],
    ["a key that is no address", replaced("signature-input", KEY_ID, "alice"), "malformed"],
    ["nonsense", (h) => ({ ...h, "signature-input": "(".repeat(5000) }), "malformed"],
    [
      "much of it",
      (h) => ({ ...h, "signature-input": `a=(${'"a" '.repeat(50)});created=1` }),
      "malformed",
    ],
  ];
  for (const [name, change, reason] of cases) {
    it(name, () => {
      const expected = (error: any) => error.reason === reason && statusOf(error) === 401;
      assert.throws(() => accepts(received(change(ours()))), expected);
    });
  }
  it("a changed body, method or address", () => {
    assert.throws(() => accepts(received(ours(), "{}")));
    assert.equal(accepts({ ...received(ours()), method: "PUT" }), false);
    assert.equal(accepts({ ...received(ours()), target: "/inbox?x=2" }), false);
    assert.ok(accepts(received(ours())));
  });
});

describe("servers", () => {
  before(w.openWorld);
  after(w.closeWorld);
  beforeEach(w.calmWorld);

  it("may send with it", async () => {
    const object = w.note(w.bob);
    const text = JSON.stringify({
      id: w.nextId(w.bob),
      actor: w.bob.uri,
      type: "Create",
      object,
      to: [w.PUBLIC],
    });
    const key = parsePrivateKey(w.bob.privateKeyPem);
    const parts = {
      method: "POST",
      url: w.inbox(),
      body: text,
      keyId: w.bob.keyId,
      privateKey: key,
      contentType: TYPE,
    };
    const { host: _host, ...headers } = signMessage(parts);
    const post = (sent: string) => fetch(w.inbox(), { method: "POST", headers, body: sent });
    assert.equal((await post(text.replace("Create", "Delete"))).status, 401);
    assert.equal((await post(text)).status, 202);
    await w.test.runJobs();
    assert.ok(await w.statusByUri(object["id"]));
  });

  it("may sign with a key of Ed25519 that their actor lists, and change it", async () => {
    const dora = w.peer.actor("dora", 1);
    const send = async (
      key: ReturnType<typeof addEd25519>,
      change: (h: Json) => void = () => {},
    ) => {
      const object = w.note(dora, { tag: [{ type: "Mention", href: w.uriOf(w.alice) }] });
      const cc = [w.uriOf(w.alice)];
      const activity = { id: w.nextId(dora), actor: dora.uri, type: "Create", object, cc };
      const text = JSON.stringify(activity);
      const { host: _host, ...headers } = signMessage({
        method: "POST",
        url: w.inbox(),
        body: text,
        ...key,
        contentType: TYPE,
      });
      change(headers);
      const { status } = await fetch(w.inbox(), { method: "POST", headers, body: text });
      await w.test.runJobs();
      return [status, (await w.statusByUri(object["id"])) !== undefined];
    };
    const first = addEd25519(dora);
    assert.deepEqual(await send(first), [202, true]);
    const asRsa = (h: Json) =>
      void (h["signature-input"] = String(h["signature-input"]).replace('ed25519"', 'x"'));
    assert.deepEqual(await send(first, asRsa), [401, false]);
    const stolen = { ...first, privateKey: addEd25519(w.eve).privateKey };
    assert.deepEqual(await send(stolen), [401, false]);
    // Keys are read again at most every five minutes.
    await w.test.app.kv.delete(`key-refresh:${first.keyId}`);
    const second = addEd25519(dora);
    assert.deepEqual(await send(second), [202, true]);
    assert.deepEqual(await send(first), [401, false]);
    // What another actor of the host lists is not theirs.
    const other = addEd25519(w.peer.actor("fritz", 2), `${dora.uri}#other`);
    assert.deepEqual(await send(other), [401, false]);
  });

  it("that sign with Ed25519 get it, until they refuse it", async () => {
    const gerda = w.peer.actor("gerda", 1);
    const key = addEd25519(gerda);
    const activity = {
      id: w.nextId(gerda),
      actor: gerda.uri,
      type: "Follow",
      object: w.uriOf(w.alice),
    };
    const text = JSON.stringify(activity);
    const parts = { method: "POST", url: w.inbox(), body: text, contentType: TYPE };
    const { host: _host, ...headers } = signMessage({ ...parts, ...key });
    assert.equal((await fetch(w.inbox(), { method: "POST", headers, body: text })).status, 202);
    await w.test.runJobs();
    const algorithms = async (posted: string) => {
      w.peer.received.length = 0;
      await w.post(w.alice, posted);
      return w.peer.received
        .filter(({ method }) => method === "POST")
        .map(
          (request) =>
            /alg="([^"]*)"/.exec(String(request.headers["signature-input"]))?.[1] ?? "cavage",
        );
    };
    const { json: actor } = await w.test.visitor.get("/users/alice", {
      accept: "application/activity+json",
    });
    assert.deepEqual(await algorithms("one"), ["ed25519"]);
    const [sent] = w.peer.received.filter(({ method }) => method === "POST");
    const signature = parseSignature(sent!.headers as Record<string, string>);
    assert.equal(signature.keyId, actor.assertionMethod[0].id);
    const request = {
      method: "POST",
      target: sent!.path,
      headers: sent!.headers,
      scheme: "http" as const,
      body: Buffer.from(sent!.body),
    };
    assert.ok(
      verifySignature(
        signature,
        request,
        fromMultikey(actor.assertionMethod[0].publicKeyMultibase)!,
      ),
    );
    w.peer.refuses = ({ "signature-input": input }) => /ed25519/.test(String(input));
    assert.deepEqual(await algorithms("two"), ["ed25519", "rsa-v1_5-sha256"]);
    w.peer.refuses = null;
    assert.deepEqual(await algorithms("three"), ["rsa-v1_5-sha256"]);
    // What refused it is not tried again because it signs with it.
    await knowsEd25519(w.test.app, w.peer.host);
    assert.deepEqual(await algorithms("four"), ["rsa-v1_5-sha256"]);
  });

  it("that refuse the older form get this one, and then it alone", async () => {
    await w.send(w.mallory, { type: "Follow", object: w.uriOf(w.alice) });
    w.otherPeer.received.length = 0;
    w.otherPeer.refuses = ({ "signature-input": input }) => input === undefined;
    await w.post(w.alice, "one");
    await w.post(w.alice, "two");
    w.otherPeer.refuses = null;
    const forms = w.otherPeer.received.map(({ headers }) =>
      headers["signature-input"] ? "new" : "old",
    );
    assert.deepEqual(forms, ["old", "new", "new"]);
  });
});
