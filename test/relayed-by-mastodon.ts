// Simulates a Mastodon server that forwards a signed activity: it reads the document with the terms that it knows, and
// writes it again with those. If a reader of plain JSON would then find anything other than what was sent, it does not
// forward the activity. The terms are those of Mastodon 4.5 (app/helpers/context_helper.rb); the recording of what it
// sends has most of them (test/golden/activitypub-sent.json).

import { compact } from "../src/federation/linked-data/json-ld.ts";

type Json = Record<string, unknown>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const reference = (id: string) => ({ "@id": id, "@type": "@id" });

const TERMS = {
  manuallyApprovesFollowers: "as:manuallyApprovesFollowers",
  sensitive: "as:sensitive",
  Hashtag: "as:Hashtag",
  movedTo: reference("as:movedTo"),
  alsoKnownAs: reference("as:alsoKnownAs"),
  toot: "http://joinmastodon.org/ns#",
  Emoji: "toot:Emoji",
  featured: reference("toot:featured"),
  featuredTags: reference("toot:featuredTags"),
  schema: "http://schema.org#",
  PropertyValue: "schema:PropertyValue",
  value: "schema:value",
  ostatus: "http://ostatus.org#",
  atomUri: "ostatus:atomUri",
  inReplyToAtomUri: "ostatus:inReplyToAtomUri",
  conversation: "ostatus:conversation",
  focalPoint: { "@container": "@list", "@id": "toot:focalPoint" },
  blurhash: "toot:blurhash",
  discoverable: "toot:discoverable",
  indexable: "toot:indexable",
  memorial: "toot:memorial",
  votersCount: "toot:votersCount",
  suspended: "toot:suspended",
  attributionDomains: reference("toot:attributionDomains"),
  QuoteRequest: "https://w3id.org/fep/044f#QuoteRequest",
  quote: reference("https://w3id.org/fep/044f#quote"),
  quoteUri: "http://fedibird.com/ns#quoteUri",
  _misskey_quote: "https://misskey-hub.net/ns#_misskey_quote",
  quoteAuthorization: reference("https://w3id.org/fep/044f#quoteAuthorization"),
  gts: "https://gotosocial.org/ns#",
  interactionPolicy: reference("gts:interactionPolicy"),
  canQuote: reference("gts:canQuote"),
  automaticApproval: reference("gts:automaticApproval"),
  manualApproval: reference("gts:manualApproval"),
  interactingObject: reference("gts:interactingObject"),
  interactionTarget: reference("gts:interactionTarget"),
};

const CONTEXT = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1", TERMS];

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const members = ({ "@context": _context, signature: _signature, ...rest }: Json) =>
  Object.entries(rest).filter(([, value]) => value !== null);

/** Restores forms of JSON-LD as Mastodon does: lists of one item, and the name of the public collection. */
const restored = (sent: unknown, read: unknown): unknown => {
  if (Array.isArray(sent)) {
    const all: unknown[] = Array.isArray(read) ? read : read === undefined ? [] : [read];
    return all.length === sent.length ? sent.map((item, n) => restored(item, all[n])) : read;
  }
  if (sent === PUBLIC && read === "as:Public") return PUBLIC;
  if (!isObject(sent) || !isObject(read)) return read;
  const known = members(sent).filter(([name]) => name in read);
  const changed = known.map(([name, value]) => [name, restored(value, read[name])]);
  return { ...read, ...Object.fromEntries(changed) };
};

/** Returns the paths at which a reader of plain JSON would not find what was sent. */
const lost = (sent: unknown, read: unknown, path: string): string[] => {
  if (Array.isArray(sent)) {
    if (!Array.isArray(read) || read.length !== sent.length) return [path];
    return sent.flatMap((item, n) => lost(item, read[n], `${path}[${n}]`));
  }
  if (!isObject(sent)) return sent === read ? [] : [path];
  if (!isObject(read)) return [path];
  return members(sent).flatMap(([name, value]) => lost(value, read[name], `${path}.${name}`));
};

/** Returns the forwarded activity with its signature, and what is lost; it is only forwarded if nothing is. */
export const relayedByMastodon = async (
  activity: Json,
): Promise<{ activity: Json; lost: string[] }> => {
  const { signature, ...document } = activity;
  const read = restored(document, await compact(document, CONTEXT)) as Json;
  return { activity: { ...read, signature }, lost: lost(document, read, "") };
};
