// Turns a request into a stored activity. The cheapest checks come first: nothing is fetched or written for a request
// that they refuse.

import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { isHostRefused } from "../../domain/base/blocklists/domains.ts";
import { BadRequest, Forbidden } from "../../platform/errors.ts";
import {
  hostIn,
  httpUrl,
  idOf,
  idsOf,
  isIndexable,
  isRecord,
  parseRecord,
  textOf,
  typesOf,
} from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { SYNC_HEADER, parseSyncHeader, planSync } from "../followers-sync.ts";
import { isLocalUri } from "../hosts.ts";
import { proofOf } from "../integrity/proof.ts";
import { knowsProofs } from "../integrity/readers.ts";
import { headerValue } from "../signatures/cavage.ts";
import type { ParsedSignature } from "../signatures/parse.ts";
import { checkSignature } from "../signatures/verify.ts";
import type { IncomingRequest } from "../signatures/verify.ts";
import { mayAct } from "./activity.ts";
import type { Received } from "./activity.ts";
import { selectActors } from "./queries-facts.ts";
import { verifiedSigner } from "./signer.ts";
import type { Signer } from "./signer.ts";
import { forwarded } from "./forwarded.ts";
import type { NewIncoming } from "./queries.ts";
import { storeIncoming } from "./store.ts";

const OWN_TYPES = new Set(["Forwarded", "Relayed"]);

const readActivity = (app: App, request: IncomingRequest): Received => {
  const { buffer, byteOffset, length } = request.body;
  const text = Buffer.from(buffer, byteOffset, length).toString("utf8");
  const body = parseRecord(text);
  if (!body) throw new BadRequest("The request body is not a JSON object or is nested too deeply");
  const actorUri = httpUrl(idOf(body["actor"]));
  if (!actorUri || typesOf(body).length === 0) throw new BadRequest("The activity has no actor");
  // Only we write these types (forwarded.ts).
  if (typesOf(body).some((type) => OWN_TYPES.has(type)))
    throw new BadRequest("The activity has an unknown type");
  if (isLocalUri(app, actorUri)) throw new Forbidden("The actor is an account of this server");
  return { body, text, actorUri };
};

/** Whether this deletes an actor that is not stored: its key is gone, and there is nothing to delete. */
const isDeleteOfUnknownActor = async (app: App, { body, actorUri }: Received): Promise<boolean> =>
  typesOf(body).includes("Delete") &&
  idOf(body["object"]) === actorUri &&
  (await selectActors(app.sql, [actorUri])).length === 0;

/**
 * Returns an id for an activity. Some have none (Add, Remove): a repeat has the same signature, another one has not.
 */
const activityId = (body: Json, signature: ParsedSignature): string => {
  const id = textOf(body["id"]);
  if (id !== null && id !== "" && isIndexable(id)) return id;
  return `sha256:${createHash("sha256").update(signature.signature).digest("base64url")}`;
};

type Keys = Pick<NewIncoming, "uri" | "also">;

/**
 * Returns the ids of an activity. Some servers make the ids of Updates from the time in seconds, so another object
 * counts as another Update. Who forwards an Update may format it differently, so it is known by its id alone, too.
 */
const keysOf = ({ body }: Received, id: string): Keys => {
  if (!typesOf(body).includes("Update")) return { uri: id };
  const digest = createHash("sha256").update(JSON.stringify(body["object"] ?? null));
  return { uri: `${id} ${digest.digest("base64url")}`, also: id };
};

const store = (app: App, { body, text, actorUri }: Received, keys: Keys): Promise<void> =>
  storeIncoming(app, { ...keys, actorUri, body: text }, body);

/** Reads what the actor says about its followers, only where the header is signed. */
const syncFollowers = async (
  app: App,
  { headers }: IncomingRequest,
  { signedHeaders }: ParsedSignature,
  { accountId }: Signer,
): Promise<void> => {
  const header = headerValue(headers, SYNC_HEADER);
  if (header === undefined || !signedHeaders.includes(SYNC_HEADER)) return;
  const claim = parseSyncHeader(header);
  if (claim) await planSync(app, accountId, claim);
};

const namesNobody = ({ to, cc, bto, bcc, audience }: Json): boolean =>
  [to, cc, bto, bcc, audience].every((member) => idsOf(member).length === 0);

/** Addresses a post without recipients to the owner of the inbox that it came to: bto and bcc are not visible. */
const addressed = async (activity: Received, owner: Incoming["owner"]): Promise<Received> => {
  const { body } = activity;
  const { object } = body;
  const isPost = typesOf(body).includes("Create") && isRecord(object);
  if (!isPost || !namesNobody(body) || !namesNobody(object)) return activity;
  const uri = await owner();
  if (uri === null) return activity;
  const whole = { ...body, to: [uri] };
  return { ...activity, body: whole, text: JSON.stringify(whole) };
};

/**
 * Whether one of the addresses is on a blocked server, whose key is not even fetched. It gets no answer that says so.
 */
const isFromRefused = async (app: App, ...uris: string[]): Promise<boolean> => {
  for (const uri of uris) if (await isHostRefused(app, hostIn(uri) ?? "")) return true;
  return false;
};

export type Incoming = {
  /** Host names of this server, one of which the signature must cover. */
  hosts: string[];
  signature: ParsedSignature;
  /** Counts an activity of a host, once it is proved to come from there; throws 429. */
  countHost: (host: string) => void;
  /** Returns the address of the person whose own inbox it was sent to; null for the shared inbox. */
  owner: () => Promise<string | null>;
};

/**
 * Receives an activity: afterwards it is stored, was known already, or has no effect here. Throws 400, 401, 403, 429;
 * 503 when the signer's key cannot be fetched at the moment.
 */
export const receive = async (
  app: App,
  request: IncomingRequest,
  { hosts, signature, countHost, owner }: Incoming,
): Promise<void> => {
  checkSignature(signature, request, { hosts, now: app.clock.now() });
  const activity = readActivity(app, request);
  if (isLocalUri(app, signature.keyId))
    throw new Forbidden("The signature uses a key of this server");
  if (await isFromRefused(app, signature.keyId, activity.actorUri)) return;
  if (await isDeleteOfUnknownActor(app, activity)) return;
  const signer = await verifiedSigner(app, signature, request, activity.actorUri);
  if (!mayAct(signer, activity.body)) return;
  countHost(hostIn(signature.keyId) ?? "");
  const uri = activityId(activity.body, signature);
  if (signer.uri === activity.actorUri) {
    if (proofOf(activity.body)) await knowsProofs(app, hostIn(signer.uri) ?? "");
    await syncFollowers(app, request, signature, signer);
    return store(app, await addressed(activity, owner), keysOf(activity, uri));
  }
  const other = await forwarded(app, activity, signer);
  // An unproved activity is not stored under its own id: a forged one must not hide the real one.
  if (other) await store(app, other.received, { uri: other.uri ?? `forwarded:${uri}` });
};
