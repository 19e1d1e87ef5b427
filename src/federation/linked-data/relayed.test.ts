// What is sent with a Linked Data Signature is passed on by servers of Mastodon's kind, and can still be checked then.

import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { after, before, it } from "node:test";
import { verifyJsonLd } from "@fedify/fedify/sig";
import sharp from "sharp";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { relayedByMastodon } from "../../../test/relayed-by-mastodon.ts";
import { proofOf } from "../integrity/proof.ts";
import { loadContext } from "./contexts.ts";
import { provedActivity } from "./signature.ts";

type Json = Record<string, any>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

let t: TestApp;
let peer: FakePeer;
let bob: PeerActor;
let alice: Person;
const upload = async (): Promise<string> => {
  const picture = { width: 40, height: 30, channels: 3, background: "teal" } as const;
  const form = new FormData();
  const file = await sharp({ create: picture }).png().toBuffer();
  form.set("file", new File([new Uint8Array(file)], "teal.png", { type: "image/png" }));
  form.set("description", "Teal");
  form.set("focus", "0.5,-0.25");
  const { json } = await alice.post("/api/v2/media", form);
  await t.runJobs();
  return json.id;
};

before(async () => {
  t = await startTestApp();
  peer = await startPeer();
  bob = peer.actor("bob");
  alice = await t.person("alice");
  await bob.deliver(t, { type: "Follow", object: `${t.url}/users/alice` });
});
after(async () => {
  await peer?.close();
  await t?.close();
});

/** What was sent since the last time. */
const taken = (): Json[] => {
  const all = peer.inbox() as Json[];
  peer.received.length = 0;
  return all;
};

const checkAll = async (types: string[]): Promise<void> => {
  const { json: actor } = await t.visitor.get("/users/alice", {
    accept: "application/activity+json",
  });
  const key = createPublicKey(actor.publicKey.publicKeyPem);
  const sent = taken().filter(({ signature }) => signature);
  assert.deepEqual(
    sent.map(({ type }) => type),
    types,
  );
  for (const message of sent) {
    const { activity, lost } = await relayedByMastodon(message);
    assert.deepEqual(lost, [], `${message["type"]}: would not be passed on`);
    assert.ok(await provedActivity(activity as Json, key), "not proved any more");
    const documentLoader = async (url: string) => {
      if (!url.startsWith(t.url)) return { ...(await loadContext(url)), contextUrl: null };
      return { document: actor, documentUrl: url, contextUrl: null };
    };
    const isGood = await verifyJsonLd(activity, {
      documentLoader: documentLoader as never,
      contextLoader: documentLoader as never,
    });
    assert.ok(isGood, "Fedify does not believe it any more");
  }
};

it("posts of every kind, their changes and their ends", async () => {
  taken();
  const parent = peer.note(bob, "/notes/parent", { cc: [`${t.url}/users/alice`] });
  await bob.deliver(t, { type: "Create", object: parent, to: [PUBLIC] });
  const [row] = await t.app.sql<{ id: string }[]>`
    SELECT id FROM statuses WHERE uri = ${String(parent["id"])}
  `;
  const parentId = row!.id;
  const answer = await alice
    .post("/api/v1/statuses", {
      status: `@bob@${peer.host} An answer with #tags`,
      in_reply_to_id: parentId,
      media_ids: [await upload(), await upload()],
      spoiler_text: "Warning",
      sensitive: true,
      language: "en",
    })
    .done();
  const poll = await alice
    .post("/api/v1/statuses", {
      status: "Which?",
      in_reply_to_id: parentId,
      poll: { options: ["this", "that"], expires_in: 3600, multiple: true },
      visibility: "unlisted",
    })
    .done();
  await alice
    .post("/api/v1/statuses", {
      status: "*Look*",
      content_type: "text/markdown",
      in_reply_to_id: parentId,
      quoted_status_id: answer["id"],
      quote_approval_policy: "followers",
    })
    .done();
  await checkAll(["Create", "Create", "Create"]);
  await alice.put(`/api/v1/statuses/${answer["id"]}`, { status: "An answer" }).done();
  await alice.post(`/api/v1/statuses/${answer["id"]}/pin`).done();
  await alice.post(`/api/v1/statuses/${answer["id"]}/unpin`).done();
  await alice.post(`/api/v1/statuses/${parentId}/reblog`).done();
  await alice.post(`/api/v1/statuses/${parentId}/unreblog`).done();
  await alice.delete(`/api/v1/statuses/${poll["id"]}`).done();
  await checkAll(["Update", "Add", "Remove", "Undo", "Delete"]);
});

it("the proof of Ed25519 goes to those who send such proofs themselves", async () => {
  taken();
  await alice.post("/api/v1/statuses", { status: "without" }).done();
  const [without] = taken();
  assert.equal(proofOf(without!), null);
  const proof = {
    type: "DataIntegrityProof",
    cryptosuite: "eddsa-jcs-2022",
    verificationMethod: `${bob.uri}#ed25519-key`,
    proofPurpose: "assertionMethod",
    created: "2026-05-01T00:00:00Z",
    proofValue: "z1",
  };
  await bob.deliver(t, { type: "Like", object: String(without!["object"].id), proof });
  await alice.post("/api/v1/statuses", { status: "with" }).done();
  const [proved] = taken();
  assert.ok(proofOf(proved!));
});
