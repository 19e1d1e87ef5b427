// Compares the activities that this server sends with those that a recorded Mastodon sent to a remote server
// after the same actions (activitypub-sent.json): members, types, values, the kind of inbox, headers. That the
// recorded ones are accepted is tested in federation/inbox.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { formOf, picture } from "../files.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor, Received } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { differences } from "./compare.ts";
import { makeLevels } from "./levels.ts";
import type { Levels } from "./levels.ts";

type Json = Record<string, any>;
type Recorded = { method: string; path: string; headers: Record<string, string>; json?: Json };
type Step = { name: string; received: Recorded[] };

const file = new URL("activitypub-sent.json", import.meta.url);
const { steps } = JSON.parse(readFileSync(file, "utf8")) as { steps: Step[] };

/** Steps that need a feature that is not built yet. */
const NOT_YET: Record<string, string> = {
  poll: "polls",
  vote: "polls",
  "feature tag": "featured hashtags",
  "unfeature tag": "featured hashtags",
  "report forwarded": "reports",
  "suspend local": "moderation",
};

/** Steps that send nothing by themselves. */
const SILENT = new Set([
  "resolve note by url",
  "poll vote arrives",
  "profile",
  "authorized fetch of actor",
]);

/** Compared by its members: the keys differ. */
const LEFT_OUT = "signature";

let server: TestApp;
let peer: FakePeer;
let s1: PeerActor;
let s1Id: string;
let noteId: string;
let levels: Levels;
const people = new Map<string, Person>();
const posted = new Map<string, string>();

const post = async (step: string, json: Json): Promise<void> => {
  const language = json["language"] ?? "en";
  const { id } = await people.get("alice")!.post("/api/v1/statuses", { ...json, language }).ok();
  posted.set(step, id);
};

/** The recorded one was a square, marked as sensitive. */
const postPicture = async (): Promise<void> => {
  const multipart = formOf(await picture("png", 64, 48), {
    description: "a square",
    focus: "0.25,-0.5",
  });
  const { token } = people.get("alice")!;
  const uploaded = await server.as(token).post("/api/v2/media", multipart);
  await server.runJobs();
  await post("picture", { status: "picture", media_ids: [uploaded.json.id], sensitive: true });
};

const onStatus = (step: string, verb: string) => () =>
  people.get("alice")!.post(`/api/v1/statuses/${posted.get(step)!}/${verb}`).ok();

const onNote = (verb: string) => () => people.get("alice")!.post(`/api/v1/statuses/${noteId}/${verb}`).ok();

const onS1 = (name: string, verb: string) => () =>
  people.get(name)!.post(`/api/v1/accounts/${s1Id}/${verb}`).ok();

const askedBy = (verb: string) => () =>
  people.get("carol")!.post(`/api/v1/follow_requests/${s1Id}/${verb}`).ok();

const followBy = (number: number, name: string) => () =>
  s1.deliver(server, {
    id: `${peer.origin}/follows/${number}`,
    type: "Follow",
    object: `${server.url}/users/${name}`,
  });

const HANDLE = () => `@s1@${peer.host}`;

type Act = {
  /** What the peer does before. */
  first?: () => Promise<unknown>;
  act: () => Promise<unknown>;
};

/** Recorded step → the same action on our server. They run in this order. */
const ACTS: Record<string, Act> = {
  follow: { act: onS1("alice", "follow") },
  "accept of a follow": { act: followBy(1, "alice") },
  authorize: { first: followBy(2, "carol"), act: askedBy("authorize") },
  "remove from followers": { act: onS1("carol", "remove_from_followers") },
  reject: { first: followBy(3, "carol"), act: askedBy("reject") },
  public: {
    act: () =>
      post("public", {
        status: `Hello ${HANDLE()} #Cats https://example.org/path 5 < 6`,
        visibility: "public",
      }),
  },
  "unlisted with warning": {
    act: () =>
      post("unlisted", {
        status: "careful",
        spoiler_text: "warning",
        visibility: "unlisted",
        language: "de",
      }),
  },
  private: { act: () => post("private", { status: "followers only", visibility: "private" }) },
  picture: { act: postPicture },
  direct: { act: () => post("direct", { status: `psst ${HANDLE()}`, visibility: "direct" }) },
  "reply to remote": {
    act: () =>
      post("reply", {
        status: `${HANDLE()} a reply`,
        visibility: "public",
        in_reply_to_id: noteId,
      }),
  },
  edit: {
    act: () =>
      people.get("alice")!.put(`/api/v1/statuses/${posted.get("public")!}`, {
        status: `Hello again ${HANDLE()} #Dogs`,
        language: "en",
      }).ok(),
  },
  pin: { act: onStatus("public", "pin") },
  unpin: { act: onStatus("public", "unpin") },
  favourite: { act: onNote("favourite") },
  unfavourite: { act: onNote("unfavourite") },
  reblog: { act: onNote("reblog") },
  unreblog: { act: onNote("unreblog") },
  "reblog own": { act: onStatus("public", "reblog") },
  "reblog private own": {
    act: async () => {
      await post("own", { status: "to followers", visibility: "private" });
      await server.runJobs();
      await onStatus("own", "reblog")();
    },
  },
  delete: { act: () => people.get("alice")!.delete(`/api/v1/statuses/${posted.get("public")!}`).ok() },
  unfollow: { act: onS1("alice", "unfollow") },
  block: { act: onS1("bob", "block") },
  unblock: { act: onS1("bob", "unblock") },
};

/** Activities whose id is not compared: it cannot be fetched, and each server makes it in its own way. */
const NUMBERED = new Set(["Accept", "Reject", "Follow", "Like", "Block", "Undo", "Update"]);

/** Without the terms that only the Linked Data Signature and the proof need. */
const contextOf = (context: unknown, isSigned: boolean): unknown[] => {
  const terms: unknown[] = Array.isArray(context) ? context : [context];
  return terms.filter(
    (term) =>
      !(isSigned && term === "https://w3id.org/security/v1") &&
      term !== "https://w3id.org/security/data-integrity/v1" &&
      !(typeof term === "object" && term !== null && "proof" in term),
  );
};

const unnumbered = (json: Json): Json => {
  const isOurs = String(json["id"]).startsWith("https://mast.test/");
  const isNested = typeof json["object"] === "object" && json["object"] !== null;
  return {
    ...json,
    ...(NUMBERED.has(json["type"]) && isOurs && { id: "an address of ours" }),
    ...(isNested && { object: unnumbered(json["object"]) }),
  };
};

/** With the recorded hosts and ids, without times and activity ids. */
const levelActivity = (json: Json): Json => {
  const text = JSON.stringify(json)
    .replaceAll(peer.origin, "https://peer.test")
    .replaceAll(peer.host, "peer.test")
    .replaceAll(server.url, "https://mast.test")
    .replaceAll(new URL(server.url).host, "mast.test");
  const whole = levels.level(JSON.parse(text) as Json);
  const { [LEFT_OUT]: signature, proof: _proof, ...activity } = whole;
  const context = contextOf(activity["@context"], signature !== undefined);
  return { ...unnumbered(activity), "@context": context };
};

const RULES = { values: true, lacking: new Map<string, string[]>() };

const signedHeaders = (signature: unknown): string[] =>
  (/headers="([^"]*)"/.exec(String(signature))?.[1] ?? "").split(" ");

const compareHeaders = (sent: Received, recorded: Recorded): void => {
  for (const name of Object.keys(recorded.headers)) {
    assert.ok(sent.headers[name], `header ${name}`);
  }
  const signature = String(sent.headers["signature"]);
  const covered = signedHeaders(signature);
  for (const name of signedHeaders(recorded.headers["signature"])) {
    assert.ok(covered.includes(name), `the signature does not cover ${name}`);
  }
  assert.match(signature, /keyId="[^"]+#main-key",algorithm="rsa-sha256"/);
};

const compareSent = (name: string, sent: Received, recorded: Recorded): void => {
  compareHeaders(sent, recorded);
  assert.equal(sent.headers["content-type"], recorded.headers["content-type"]);
  const digest = createHash("sha256").update(sent.body).digest("base64");
  assert.equal(sent.headers["digest"], `SHA-256=${digest}`);
  const ours = JSON.parse(sent.body) as Json;
  const said = ({ [LEFT_OUT]: signature }: Json) => Object.keys(signature ?? {});
  // Pins are signed here too, as featured hashtags are there; new posts where they answer somebody elsewhere.
  const isPin = ["pin", "unpin"].includes(name);
  const isAlone = ours["type"] === "Create" && ours["object"].inReplyTo === null;
  if (isAlone) assert.ok(!recorded.json!["signature"] || ours["signature"]);
  if (!isPin && !isAlone) assert.deepEqual(said(ours), said(recorded.json!));
  levels.learn(recorded.json, ours);
  const pair = { recorded: levelActivity(recorded.json!), ours: levelActivity(ours) };
  const faults = differences({ ...pair, path: pair.recorded["type"] }, RULES);
  assert.equal(faults.length, 0, `\n${faults.join("\n")}\n`);
  assert.equal(sent.path, recorded.path);
};

const deliveries = () => peer.received.filter((request) => request.method === "POST");

const searched = async (q: string, kind: "accounts" | "statuses"): Promise<string> => {
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`;
  const document = await people.get("alice")!.get(path).ok();
  assert.equal(document[kind].length, 1, JSON.stringify(document));
  return document[kind][0].id;
};

before(async () => {
  [server, peer] = await Promise.all([startTestApp(), startPeer()]);
  levels = makeLevels(server.url);
  for (const name of ["alice", "bob", "carol"]) people.set(name, await server.person(name));
  const profile = "/api/v1/accounts/update_credentials";
  await people.get("carol")!.patch(profile, { locked: true }).ok();
  // The default for reblogs without a visibility.
  await people.get("alice")!.patch(profile, { source: { privacy: "unlisted" } }).ok();
  s1 = peer.actor("s1");
  peer.note(s1, "/notes/1");
});

after(async () => {
  await peer.close();
  await server.close();
});

const recordedPosts = (name: string): Recorded[] =>
  steps
    .find((step) => step.name === name)!
    .received.filter(({ method, json }) => method === "POST" && json);

describe("activities sent to a remote server", () => {
  it("tries every recorded step, or says who makes it", () => {
    const known = [...Object.keys(ACTS), ...Object.keys(NOT_YET), ...SILENT, "resolve actor"];
    assert.deepEqual(known.toSorted(), steps.map((step) => step.name).toSorted());
  });

  it("resolve actor: the actor is fetched with the recorded headers, signed", async () => {
    s1Id = await searched(HANDLE(), "accounts");
    noteId = await searched(`${peer.origin}/notes/1`, "statuses");
    const isFetch = ({ method, path }: { method: string; path: string }) =>
      method === "GET" && path === "/users/s1";
    const recorded = steps[0]!.received.find(isFetch)!;
    const sent = peer.received.find(isFetch)!;
    compareHeaders(sent, recorded);
    assert.match(String(sent.headers["accept"]), /application\/activity\+json/);
  });

  for (const [name, { first, act }] of Object.entries(ACTS)) {
    it(name, async () => {
      await first?.();
      const earlier = deliveries().length;
      await act();
      await server.runJobs();
      const sent = deliveries().slice(earlier);
      const recorded = recordedPosts(name);
      assert.equal(sent.length, recorded.length, JSON.stringify(sent.map(({ body }) => body)));
      for (const [index, expected] of recorded.entries()) compareSent(name, sent[index]!, expected);
    });
  }
});
