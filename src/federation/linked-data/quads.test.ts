// Our own canonical form is the library's to the byte, for random documents and for our own ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../../../test/seeded.ts";
import { ACTOR_CONTEXT } from "../../domain/people/accounts/activitypub.ts";
import { ALL_NOTE_TERMS } from "../../domain/posts/statuses/activitypub.ts";
import { libraryCanonical } from "./json-ld.ts";
import { ownCanonical } from "./quads.ts";

type Json = Record<string, unknown>;

const AS = "https://www.w3.org/ns/activitystreams";
const SECURITY = "https://w3id.org/security/v1";

const CONTEXTS: unknown[] = [
  AS,
  [AS, SECURITY],
  [AS, SECURITY, ALL_NOTE_TERMS],
  [AS, SECURITY, { ...ALL_NOTE_TERMS, proof: null }],
  ACTOR_CONTEXT,
  [AS, { toot: "http://joinmastodon.org/ns#", Emoji: "toot:Emoji", type: "@type" }],
  [AS, { content: { "@id": "as:content", "@type": "xsd:integer" }, icon: null }],
  "https://w3id.org/identity/v1",
  [AS, "https://unknown.example/context"],
  [AS, { name: { "@id": "as:name", "@context": {} } }],
  { "@vocab": "https://x.example/" },
];

const TYPES = ["Note", "Create", "Mention", "Image", "Hashtag", "Emoji", "Person", "Unknown"];
const NAMES =
  `actor object to cc attributedTo tag icon attachment replies first items orderedItems likes
  totalItems url href published content summary name contentMap sensitive atomUri conversation
  interactionPolicy canQuote automaticApproval focalPoint width height publicKey publicKeyPem owner endpoints
  sharedInbox proof creator created manuallyApprovesFollowers PropertyValue value latitude unknown as:content
  @id blurhash quote votersCount closed anyOf inReplyTo assertionMethod`.split(/\s+/);
const TEXTS = [
  "",
  "plain",
  "é – 日本 🐦",
  'a "quoted" \\ one',
  "two\nlines\r\t\b\f",
  "\u0000\u007f\u001f",
  "\ud800",
  "<p>html &amp; more</p>",
  "2026-01-01T00:00:00Z",
  "_:b0",
  "en",
];
/** The first ones are what is usual. */
const IRIS = [
  "https://a.example/1",
  "https://a.example/users/b#main-key",
  "http://a.example:80/x?y=1&z",
  "https://www.w3.org/ns/activitystreams#Public",
  "as:Public",
  "relative",
  "tag:a,2026:x",
  "https://a.example/ü",
  "https://a.example/a b",
  "https://a.example/<x>",
  "acct:a@b.example",
];

/** Which of the contexts have all the usual members; and these, by what is said with them. */
const USUAL_CONTEXTS = CONTEXTS.slice(2, 4);
const USUAL: Record<string, string[]> = {
  address: "actor to cc attributedTo inReplyTo url href likes first sharedInbox owner next".split(
    " ",
  ),
  text: "content summary name value blurhash atomUri conversation publicKeyPem published".split(
    " ",
  ),
  number: ["width", "height", "totalItems", "votersCount"],
  flag: ["sensitive", "manuallyApprovesFollowers", "discoverable"],
  map: ["contentMap", "nameMap", "summaryMap"],
  node: "object tag icon attachment replies items endpoints publicKey canQuote anyOf".split(" "),
};
/** How often each is said, out of ten. */
const KINDS = "address address text text text number flag map node node".split(" ");
const USUAL_TEXTS = TEXTS.filter((text) => text.isWellFormed());
const LANGUAGES = ["en", "de", "pt-br", "nds"];

/** As servers write them: members with values of their kind, and rarely one that is odd. */
const usualFrom = (seed: number): Json => {
  const next = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  let serial = 0;
  const several = (make: () => unknown): unknown =>
    next() < 0.7 ? make() : Array.from({ length: 1 + Math.floor(next() * 3) }, make);
  const text = () => `${pick(USUAL_TEXTS)}${next() < 0.5 ? "" : ++serial}`;
  const address = () => (next() < 0.02 ? pick(IRIS) : pick(IRIS.slice(0, 4)));
  const values: Record<string, (depth: number) => unknown> = {
    address: () => several(address),
    text: () => several(text),
    number: () => pick([0, 1, 7, -3, 640, 2 ** 40]),
    flag: () => pick([true, false]),
    map: () =>
      Object.fromEntries(
        LANGUAGES.filter(() => next() < 0.5).map((language) => [language, text()]),
      ),
    node: (depth) => several(() => node(depth - 1)),
  };
  const node = (depth: number): Json => {
    const members = Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
      const kind = pick(depth > 0 ? KINDS : KINDS.filter((kind) => kind !== "node"));
      return [pick(USUAL[kind]!), next() < 0.02 ? null : values[kind]!(depth)];
    });
    return {
      // Most have an address, or say something that no other says: twins are left to the library.
      ...(next() < 0.6
        ? { id: `${pick(IRIS.slice(0, 2))}?${++serial}` }
        : { name: `n${++serial}` }),
      ...(next() < 0.9 && { type: pick(TYPES.slice(0, 6)) }),
      ...Object.fromEntries(members),
    };
  };
  return { "@context": pick(USUAL_CONTEXTS), ...node(3) };
};

/** Anything, with any context. */
const documentFrom = (seed: number): Json => {
  const next = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const scalar = (): unknown => {
    const kind = next();
    if (kind < 0.4) return pick(IRIS.slice(0, next() < 0.9 ? 4 : IRIS.length));
    if (kind < 0.7) return pick(TEXTS);
    if (kind < 0.8) return pick([0, 1, 7, -3, 1.5, -0, 1e21, 2 ** 60]);
    return pick([true, false, null]);
  };
  const value = (depth: number): unknown => {
    const kind = next();
    if (kind < 0.25 && depth > 0) return node(depth - 1);
    if (kind < 0.4) return Array.from({ length: Math.floor(next() * 4) }, () => value(depth - 1));
    if (kind < 0.45) return { en: "hello", "de-AT": pick(TEXTS), de: "hallo" };
    return scalar();
  };
  const node = (depth: number): Json => {
    const members = Array.from({ length: 1 + Math.floor(next() * 5) }, () => [
      pick(NAMES),
      value(depth),
    ]);
    return {
      ...(next() < 0.6 && { id: pick(IRIS.slice(0, next() < 0.95 ? 3 : IRIS.length)) }),
      ...(next() < 0.8 && { type: next() < 0.1 ? [pick(TYPES), pick(TYPES)] : pick(TYPES) }),
      ...Object.fromEntries(members),
    };
  };
  return { "@context": pick(CONTEXTS), ...node(3) };
};

/** How many of the seeds were not left to the library. */
const compared = async (make: (seed: number) => Json, seeds: number): Promise<number> => {
  let same = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const document = make(seed);
    const own = await ownCanonical(document);
    if (own === null) continue;
    const text = `seed ${seed}: ${JSON.stringify(document)}`;
    assert.equal(own, await libraryCanonical(document), text);
    same += 1;
  }
  return same;
};

test("documents of the usual members have the same canonical form, and few are left to the library", async () => {
  const same = await compared(usualFrom, 200);
  assert.ok(same > 140, `only ${same} were not left to the library`);
});

test("random documents have the same canonical form, or are left to the library", async () => {
  const same = await compared(documentFrom, 400);
  assert.ok(same > 12, `only ${same} were not left to the library`);
});

test("what we send is not left to it", async () => {
  const A = "https://a.example/users/b";
  const note = {
    id: `${A}/1`,
    type: "Note",
    content: "<p>hi</p>",
    contentMap: { en: "<p>hi</p>" },
    sensitive: false,
    to: [`${AS}#Public`],
    interactionPolicy: { canQuote: { automaticApproval: [`${AS}#Public`] } },
    attachment: [1, 2].map((n) => ({ type: "Document", url: `${A}/${n}.png`, blurhash: "x" })),
    tag: [{ type: "Mention", href: A, name: "@b" }],
    replies: { id: `${A}/1/replies`, type: "Collection", first: { type: "CollectionPage" } },
  };
  const document = {
    "@context": [AS, SECURITY, ALL_NOTE_TERMS, { proof: null }],
    id: `${A}/1/activity`,
    type: "Create",
    actor: A,
    object: note,
    proof: { type: "DataIntegrityProof" },
  };
  assert.equal(await ownCanonical(document), await libraryCanonical(document));
  const same = { type: "Image", url: `${A}/1.png` };
  const twins = { ...document, object: { ...note, attachment: [{ ...same, icon: same }, same] } };
  assert.equal(await ownCanonical({ ...twins, tag: [{ ...same }, { ...same }] }), null);
});
