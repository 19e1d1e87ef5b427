// Makes activities of remote servers: signed requests with Create(Note), Like, Announce, Undo and Delete, prepared
// before the measurement.

import { createHash, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { requestBytes } from "./load.ts";
import { signerOf, signerPrivateKey, signerPublicKey } from "./world.ts";
import type { World } from "./world.ts";

export type Json = Record<string, unknown>;

export type Signed = {
  /** The whole HTTP request. */
  bytes: Buffer;
  body: string;
  /** The signed text, the signature in base64, and the public key. */
  text: string;
  signature: string;
  key: string;
};

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const CONTEXT = ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"];
const TYPE = "application/activity+json";

export type Key = { keyId: string; privateKey: KeyObject };

/** Makes a request to `/inbox` of `host`, signed by draft-cavage. */
export const signAs = (
  { keyId, privateKey }: Key,
  host: string,
  activity: Json,
): Omit<Signed, "key"> => {
  const body = JSON.stringify({ "@context": CONTEXT, ...activity });
  const date = new Date().toUTCString();
  const digest = `SHA-256=${createHash("sha256").update(body).digest("base64")}`;
  const text = `(request-target): post /inbox\nhost: ${host}\ndate: ${date}\ndigest: ${digest}\ncontent-type: ${TYPE}`;
  const signature = sign("sha256", Buffer.from(text), privateKey).toString("base64");
  const header = `keyId="${keyId}",algorithm="rsa-sha256",headers="(request-target) host date digest content-type",signature="${signature}"`;
  const headers = { date, digest, "content-type": TYPE, signature: header };
  const bytes = requestBytes("POST", "/inbox", { host, headers, body });
  return { bytes, body, text, signature };
};

/** Does the same for remote account `number`. */
export const signActivity = (
  world: World,
  number: number,
  host: string,
  activity: Json,
): Signed => {
  const { keyId } = signerOf(world, number);
  const signed = signAs({ keyId, privateKey: signerPrivateKey(number) }, host, activity);
  return { ...signed, key: signerPublicKey(number) };
};

const note = (actor: string, name: string): Json => ({
  id: `${actor}/statuses/${name}`,
  type: "Note",
  attributedTo: actor,
  content: `<p>Somebody elsewhere says that the wind has turned, number ${name}, and that it will be warmer from tomorrow on, at least where the hills keep the north away. <a href="https://h1.example/tags/topic3" class="mention hashtag" rel="tag">#<span>topic3</span></a></p>`,
  contentMap: { en: "" },
  published: new Date().toISOString(),
  url: `${actor}/${name}`,
  to: [PUBLIC],
  cc: [`${actor}/followers`],
  sensitive: false,
  tag: [{ type: "Hashtag", href: "https://h1.example/tags/topic3", name: "#topic3" }],
});

/** Makes a public Create(Note). */
export const create = (actor: string, name: string): Json => {
  const object = note(actor, name);
  object["contentMap"] = { en: object["content"] };
  const { to, cc, published } = object;
  return {
    id: `${actor}/statuses/${name}/activity`,
    type: "Create",
    actor,
    published,
    to,
    cc,
    object,
  };
};

export const like = (actor: string, name: string, object: string): Json => ({
  id: `${actor}#likes/${name}`,
  type: "Like",
  actor,
  object,
});

const announce = (actor: string, name: string, object: string): Json => ({
  id: `${actor}/statuses/${name}/activity`,
  type: "Announce",
  actor,
  published: new Date().toISOString(),
  to: [PUBLIC],
  cc: [`${actor}/followers`],
  object,
});

const undo = (actor: string, activity: Json): Json => ({
  id: `${String(activity["id"])}/undo`,
  type: "Undo",
  actor,
  object: activity,
});

const remove = (actor: string, name: string): Json => ({
  id: `${actor}/statuses/${name}#delete`,
  type: "Delete",
  actor,
  to: [PUBLIC],
  object: { id: `${actor}/statuses/${name}`, type: "Tombstone" },
});

export type ActivityBatch = { activities: { number: number; activity: Json }[]; statuses: number };

/**
 * Makes two activities of each actor, all first ones before all second ones. Of ten actors' first activities five are
 * Create, three Like, two Announce; of their second ones two are Delete, two Undo of a Like, one Undo of an Announce,
 * three Like and two Create. `statuses` is the increase of statuses at the end.
 */
export const makeActivities = (
  world: World,
  actors: number[],
  serial: number,
  targets: string[],
): ActivityBatch => {
  const first: ActivityBatch["activities"] = [];
  const second: ActivityBatch["activities"] = [];
  let statuses = 0;
  for (const [index, number] of actors.entries()) {
    const actor = signerOf(world, number).uri;
    const group = index % 10;
    // Each batch has other targets, because nobody can boost the same status twice.
    const target = targets[(index * 7 + serial * 31) % targets.length]!;
    const other = targets[(index * 7 + serial * 31 + 3) % targets.length]!;
    const [a, b] = [`${1_000_000 + serial}a`, `${1_000_000 + serial}b`];
    const opening =
      group < 5
        ? create(actor, a)
        : group < 8
          ? like(actor, a, target)
          : announce(actor, a, target);
    const closing =
      group < 2
        ? remove(actor, a)
        : group < 5
          ? like(actor, b, other)
          : group === 5 || group === 6 || group === 8
            ? undo(actor, opening)
            : create(actor, b);
    statuses += [0, 0, 1, 1, 1, 0, 0, 1, 0, 2][group]!;
    first.push({ number, activity: opening });
    second.push({ number, activity: closing });
  }
  return { activities: [...first, ...second], statuses };
};
