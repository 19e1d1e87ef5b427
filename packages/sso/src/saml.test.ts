// What is read of metadata and of assertions, and what is refused of them, without a server.

import assert from "node:assert/strict";
import { createVerify } from "node:crypto";
import { after, before, test } from "node:test";
import { answerXml, encoded, newSamlKey, startSamlServer } from "../../../test/saml-server.ts";
import type { Assertion, SamlServer } from "../../../test/saml-server.ts";
import { SsoError, loadSaml } from "./index.ts";
import type { SamlSettings, Send, SsoFault } from "./index.ts";

const { ownMetadata, placeIn, saml } = await loadSaml();
const CALLBACK = "https://rookery.example/auth/auth/saml/callback";
const ours = newSamlKey();
let city: SamlServer;

before(async () => {
  city = await startSamlServer();
  city.add("ada", { displayName: "Ada Lovelace", groups: ["staff", "posters"], id: "4711" });
});
after(() => city.close());

const send: Send = async (url) => ({
  status: url.endsWith("/metadata") ? 200 : 404,
  headers: {},
  body: new TextEncoder().encode(city.metadata()),
});

const settings = (changes: Partial<SamlSettings> = {}): SamlSettings => ({
  issuer: city.entityId,
  audience: "https://rookery.example",
  provider: { url: `${city.origin}/metadata` },
  format: null,
  names: {
    subject: null,
    username: ["uid"],
    email: ["mail"],
    name: ["displayName"],
    groups: ["groups"],
    first: ["givenName"],
    last: ["sn"],
    verified: ["verified"],
    verifiedEmail: [],
  },
  assumesVerified: false,
  wantsAssertionSigned: true,
  drift: 30,
  key: null,
  ...changes,
});

const signIn = async (changes: Partial<SamlSettings> = {}, lie: Partial<Assertion> = {}) => {
  const protocol = saml(settings(changes), send, async () => true);
  const { url, kept } = await protocol.begin(CALLBACK);
  const said = { ...city.honest(city.request(url), "ada"), ...lie };
  const brought = new URLSearchParams({ SAMLResponse: encoded(answerXml(said)) });
  return (await protocol.finish(`${CALLBACK}?${brought}`, kept)).identity;
};

const fails = (work: Promise<unknown>, fault: SsoFault, why: RegExp) =>
  assert.rejects(work, (error) => {
    assert.ok(error instanceof SsoError, String(error));
    assert.deepEqual([error.fault, why.test(error.message)], [fault, true], error.message);
    return true;
  });

test("an assertion says who somebody is, by the attributes that are named", async () => {
  const { nameId } = city.people.get("ada")!;
  assert.deepEqual(await signIn(), {
    issuer: city.entityId,
    subject: nameId,
    email: "ada@city.example",
    emailVerified: false,
    name: "Ada Lovelace",
    username: "ada",
    picture: null,
    groups: ["staff", "posters"],
  });
  const names = { ...settings().names, subject: "id", name: [], verified: ["ok"] };
  const attributes = { id: "4711", givenName: "Ada", sn: "L.", mail: "a@city.example", ok: "true" };
  const other = await signIn({ names }, { attributes, format: "x:transient" });
  assert.deepEqual([other.subject, other.name, other.emailVerified], ["4711", "Ada L.", true]);
  await fails(signIn({ names }, { attributes: {} }), "invalid", /no id/);
  const verifiedEmail = ["mail"];
  assert.ok((await signIn({ names: { ...settings().names, verifiedEmail } })).emailVerified);
});

test("clocks may differ by what is said, and not by more", async () => {
  assert.ok(await signIn({}, { until: -20 }));
  assert.ok(await signIn({}, { from: 20 }));
  await fails(signIn({ drift: 0 }, { until: -20 }), "invalid", /subject confirmation/);
  await fails(signIn({ drift: 0 }, { from: 20 }), "invalid", /not yet valid/);
});

test("a signature of the response alone is enough where that is said, and none is never", async () => {
  await fails(signIn({}, { signs: "response" }), "invalid", /signature/);
  assert.ok(await signIn({ wantsAssertionSigned: false }, { signs: "response" }));
  await fails(
    signIn({ wantsAssertionSigned: false }, { signs: "nothing" }),
    "invalid",
    /signature/,
  );
});

test("requests are signed where there is a key, which the metadata of this server have", async () => {
  const signed = settings({ key: ours });
  const { url } = await saml(signed, send, async () => true).begin(CALLBACK);
  const [, query, signature] = /\?(.*)&Signature=(.*)$/.exec(url)!;
  const verifier = createVerify("sha256").update(query!);
  assert.ok(verifier.verify(ours.certificate, decodeURIComponent(signature!), "base64"));
  const body = ours.certificate.replaceAll(/-----[^-]+-----|\s/g, "");
  const metadata = ownMetadata(signed, CALLBACK);
  assert.ok(metadata.replaceAll(/\s/g, "").includes(body));
  assert.ok(!metadata.includes("PRIVATE"));
  assert.equal(ownMetadata(signed, CALLBACK), metadata);
});

test("a provider is examined by its metadata, and is away where there are none", async () => {
  const found = await saml(settings(), send, async () => true).examine();
  assert.equal(found.endpoints["authorization"], `${city.origin}/sso`);
  const gone = settings({ provider: { url: `${city.origin}/gone` } });
  await fails(saml(gone, send, async () => true).examine(), "unreachable", /answers 404/);
});

test("metadata are those of the one provider, with a certificate, and expand to nothing", () => {
  const right = city.metadata();
  const both = `<x>${right}${right.replaceAll(city.entityId, "https://other.example")}</x>`;
  assert.equal(placeIn(both, city.entityId).signIn, `${city.origin}/sso`);
  for (const [xml, why] of [
    [right.replace(city.entityId, "https://other.example"), /no provider/],
    [`<x>${right}${right}</x>`, /no provider/],
    [right.replace("HTTP-Redirect", "HTTP-POST"), /no sign-in/],
    [right.replace('use="signing"', 'use="encryption"'), /no certificate/],
    [right.replace('Location="http', 'Location="javascript'), /no sign-in/],
    [`<!DOCTYPE x [<!ENTITY a "b">]>${right}`, /declares a type/],
    [`<!doctype x SYSTEM "${city.origin}">${right}`, /declares a type/],
    ["nothing", /./],
    ["<a><b></a>", /./],
  ] as const)
    assert.throws(() => placeIn(xml, city.entityId), { name: "SsoError", message: why }, xml);
});
