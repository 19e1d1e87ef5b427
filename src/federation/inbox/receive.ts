// From a request to a stored activity, the cheapest refusals first: nothing is fetched and nothing
// written for a request that could have been refused without it.

import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { BadRequest, Forbidden } from "../../platform/errors.ts";
import { httpUrl, idOf, parseRecord, sameHost, textOf, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { isOurs } from "../hosts.ts";
import { parseSignature } from "../signatures/parse.ts";
import type { ParsedSignature } from "../signatures/parse.ts";
import { checkSignature } from "../signatures/verify.ts";
import type { IncomingRequest } from "../signatures/verify.ts";
import { selectActors } from "./queries-facts.ts";
import { verifiedSigner } from "./signer.ts";
import { storeIncoming } from "./store.ts";

export type Activity = { body: Json; actorUri: string };

/** `text`: what the body was read from, and what is stored of it. */
type Received = Activity & { text: string };

const MAX_DEPTH = 64;

const readActivity = (app: App, request: IncomingRequest): Received => {
  const { buffer, byteOffset, length } = request.body;
  const text = Buffer.from(buffer, byteOffset, length).toString("utf8");
  const body = parseRecord(text, MAX_DEPTH);
  if (!body) throw new BadRequest("The request body is not a JSON object or is nested too deeply");
  const actorUri = httpUrl(idOf(body["actor"]));
  if (!actorUri || typesOf(body).length === 0) throw new BadRequest("The activity has no actor");
  if (isOurs(app, actorUri)) throw new Forbidden("The actor is an account of this server");
  return { body, text, actorUri };
};

/** A deleted actor of whom we never heard: their key is gone, and so is the reason to ask for it. */
const isStrangersFarewell = async (app: App, { body, actorUri }: Activity): Promise<boolean> =>
  typesOf(body).includes("Delete") &&
  idOf(body["object"]) === actorUri &&
  (await selectActors(app.sql, [actorUri])).length === 0;

/** Some activities have no id (Add, Remove): the signature tells a repeat from a second one. */
const activityId = (body: Json, signature: ParsedSignature): string => {
  const id = textOf(body["id"]);
  if (id !== null && id !== "" && id.length <= 2048) return id;
  return `sha256:${createHash("sha256").update(signature.signature).digest("base64url")}`;
};

const store = (app: App, { body, text, actorUri }: Received, uri: string): Promise<void> =>
  storeIncoming(app, { uri, actorUri, body: text }, body);

/**
 * What somebody else passes on is not believed. Of a known author, a new or changed object is
 * looked up at its origin, which the job does; all else is dropped.
 */
const forwarded = async (app: App, { body, actorUri }: Activity): Promise<Received | null> => {
  const uri = httpUrl(idOf(body["object"]));
  const wanted = typesOf(body).some((type) => type === "Create" || type === "Update");
  if (!uri || !wanted || isOurs(app, uri) || !sameHost(uri, actorUri)) return null;
  const [author] = await selectActors(app.sql, [actorUri]);
  if (!author || author.suspended) return null;
  const stub = { type: "Forwarded", actor: actorUri, object: uri };
  return { actorUri, body: stub, text: JSON.stringify(stub) };
};

/**
 * Takes an activity in: after this it is stored, known already, or of no interest. Throws 400, 401,
 * 403; 503 when the signer's key cannot be had at the moment.
 */
export const receive = async (
  app: App,
  request: IncomingRequest,
  hosts: string[],
  signature: ParsedSignature = parseSignature(request.headers),
): Promise<void> => {
  checkSignature(signature, request, { hosts, now: app.clock.now() });
  const activity = readActivity(app, request);
  if (isOurs(app, signature.keyId)) throw new Forbidden("The signature uses a key of this server");
  if (await isStrangersFarewell(app, activity)) return;
  const signer = await verifiedSigner(app, signature, request);
  if (signer.suspended) return;
  const uri = activityId(activity.body, signature);
  if (signer.uri === activity.actorUri) return store(app, activity, uri);
  const stub = await forwarded(app, activity);
  // Another id than the author's own activity has: a forged one must not hide the real one.
  if (stub) await store(app, stub, `forwarded:${uri}`);
};
