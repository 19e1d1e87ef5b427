// Activities sent by another actor than their own. With a proof or a Linked Data Signature of their actor they are
// believed; of others, only what the origin says is believed.

import { createHash } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { withPresentNames } from "../../platform/config/names.ts";
import { DomainError } from "../../platform/errors.ts";
import {
  dateOf,
  httpUrl,
  idOf,
  isRecord,
  sameHost,
  textOf,
  typesOf,
} from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { isLocalUri } from "../hosts.ts";
import { isVerified, proofOf } from "../integrity/proof.ts";
import { keyById } from "../key-by-id.ts";
import { provedActivity, signatureOf } from "../linked-data/signature.ts";
import { relayActors } from "../relays.ts";
import { publicKeyOf } from "../signatures/keys.ts";
import { mayAct } from "./activity.ts";
import type { Received } from "./activity.ts";
import { allLookups, lookUp } from "./facts.ts";
import type { Facts } from "./facts.ts";
import { selectActors } from "./queries-facts.ts";
import type { KnownActor } from "./queries-facts.ts";
import type { Signer } from "./signer.ts";

/** Types that are about posts. A Follow or Block that was sent long ago must not come again. */
const TYPES = new Set(["Create", "Update", "Delete", "Undo", "Announce", "Add", "Remove"]);
/** Types of activities that a forwarded Undo may be about. */
const UNDONE = new Set(["Announce", "Like"]);

/** Bytes of an activity that is checked, since longer ones take longer. */
const MAX_PROVED_BYTES = 64 * 1024;
/** Milliseconds; received activities are remembered for this long, so an older one could be replayed. */
const MAX_AGE_MS = 7 * 86_400_000;
const SKEW_MS = 3_600_000;

const isCurrent = (app: App, created: string): boolean => {
  const age = app.clock.now().getTime() - (dateOf(created)?.getTime() ?? 0);
  return age <= MAX_AGE_MS && age >= -SKEW_MS;
};

const isAboutActor = ({ object }: Json, actorUri: string): boolean => idOf(object) === actorUri;

const isProvable = ({ body, text, actorUri }: Received): boolean =>
  text.length <= MAX_PROVED_BYTES &&
  !isAboutActor(body, actorUri) &&
  (!typesOf(body).includes("Undo") || typesOf(body["object"]).some((type) => UNDONE.has(type)));

/** Returns the actor's key by which the activity claims to be signed; null for any other. */
const keyFor = async (
  app: App,
  { body, actorUri }: Received,
  claim: { keyId: string; created: string } | null,
): Promise<KeyObject | null> => {
  if (!claim || !sameHost(claim.keyId, actorUri) || !isCurrent(app, claim.created)) return null;
  try {
    const key = await keyById(app, claim.keyId, { signer: actorUri });
    return key.uri === actorUri && mayAct(key, body) ? publicKeyOf(app, key.publicKey) : null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

/**
 * Returns a proved activity: by its proof (FEP-8b32) as it came, else by its Linked Data Signature as we write it. Null
 * if neither is valid.
 */
const proved = async (app: App, received: Received): Promise<Received | null> => {
  const { body, actorUri } = received;
  if (!isProvable(received)) return null;
  const ed25519 = await keyFor(app, received, proofOf(body));
  if (ed25519 && isVerified(body, ed25519)) return received;
  const rsa = await keyFor(app, received, signatureOf(body));
  const written = rsa && (await provedActivity(body, rsa));
  if (!written || idOf(written["actor"]) !== actorUri) return null;
  const text = JSON.stringify({ ...written, signature: body["signature"] });
  return { actorUri, body: written, text };
};

const parentUri = ({ object }: Json): string | null =>
  isRecord(object) ? httpUrl(idOf(object["inReplyTo"])) : null;

type Known = { author: KnownActor | undefined; facts: Facts; parent: string | null };

const known = async (app: App, { body, actorUri }: Received): Promise<Known> => {
  const actors = await selectActors(app.sql, [actorUri]);
  const parent = withPresentNames(app.config.site, parentUri(body));
  const statuses = parent === null ? [] : [parent];
  const facts = await lookUp(app.sql, actors, allLookups([{ statuses }]));
  return { author: actors[0], facts, parent };
};

/** Whether anybody here would see it; otherwise nothing is checked or fetched. */
const isWanted = ({ body }: Received, { author, facts, parent }: Known): boolean => {
  if (author?.suspended) return false;
  if (!typesOf(body).includes("Create")) return author !== undefined;
  if (author && facts.hasLocalFollowers(author.id)) return true;
  const answered = facts.status(parent);
  return answered !== undefined && (answered.local || facts.hasLocalFollowers(answered.account_id));
};

/** Returns what its origin is asked about, on behalf of the sender. */
const toBeFetched = (app: App, { body, actorUri }: Received, signer: Signer): Received | null => {
  const uri = httpUrl(idOf(body["object"]));
  const types = typesOf(body);
  const isRemoval = types.includes("Delete");
  const isForwardable = isRemoval || types.includes("Create") || types.includes("Update");
  if (
    !uri ||
    !isForwardable ||
    uri === actorUri ||
    isLocalUri(app, uri) ||
    !sameHost(uri, actorUri)
  )
    return null;
  const stub = { type: "Forwarded", actor: signer.uri, author: actorUri, object: uri, isRemoval };
  return { actorUri: signer.uri, body: stub, text: JSON.stringify(stub) };
};

/** Returns an id for an activity without one; the same signature gives the same id. */
const uriOf = (body: Json): string => {
  const { signature, proof } = body;
  const value = JSON.stringify([signature, proof]);
  return `sha256:${createHash("sha256").update(value).digest("base64url")}`;
};

/**
 * Wraps an activity proved by its author that a relay brought, so that it is stored although nobody here follows the
 * author.
 */
const relayed = ({ body, text, actorUri }: Received): Received => ({
  actorUri,
  body: { type: "Relayed", actor: actorUri, object: body },
  text: `{"type":"Relayed","actor":${JSON.stringify(actorUri)},"object":${text}}`,
});

const isFromRelay = async (app: App, { body }: Received, signer: Signer, about: Known) =>
  typesOf(body).includes("Create") &&
  !about.author?.suspended &&
  (await relayActors(app)).has(signer.uri);

/** Returns what is stored of a forwarded activity, and under which id; null if it has no effect here. */
export const forwarded = async (
  app: App,
  received: Received,
  signer: Signer,
): Promise<{ received: Received; uri: string | null } | null> => {
  const { body } = received;
  if (!typesOf(body).some((type) => TYPES.has(type))) return null;
  const about = await known(app, received);
  const isRelayed = !isWanted(received, about);
  if (isRelayed && !(await isFromRelay(app, received, signer, about))) return null;
  const believed = await proved(app, received);
  if (believed) {
    const id = textOf(believed.body["id"]);
    const uri = id && sameHost(id, received.actorUri) ? id : uriOf(body);
    return { received: isRelayed ? relayed(believed) : believed, uri };
  }
  const stub = toBeFetched(app, received, signer);
  return stub && { received: stub, uri: null };
};
