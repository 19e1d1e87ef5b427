// The types of an incoming activity, and what the parsers of several kinds read from it.

import { createHash } from "node:crypto";
import type { FormerNames } from "../../platform/config/names.ts";
import { dateOf, httpUrl, idOf, sameHost, textOf, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { authorUris } from "../../domain/posts/statuses/parse-note.ts";
import type { NoteContext } from "../../domain/posts/statuses/parse-note.ts";
import type { KnownActor } from "./queries-facts.ts";

/** `text` is what the body was parsed from, and what is stored. */
export type Received = { body: Json; actorUri: string; text: string };

/** All that parsing and judging an activity need, so that both are pure. */
export type Incoming = {
  actor: KnownActor;
  body: Json;
  now: Date;
  /** The activity as it was sent; `body` has this server's present names in place of its former ones. */
  sent: Json;
  /** Whether an address is on this server. */
  isLocalUri: (uri: string) => boolean;
  /** Returns the former names that an address, as it was sent, is under. */
  formerNames: (uri: string | null) => FormerNames | null;
  /** True when this server subscribes to the actor as a relay. */
  isRelay: boolean;
  /** True when a relay brought it. */
  isRelayed?: boolean;
};

/**
 * Activities that end something take effect for suspended actors as well: they are not sent again after the suspension.
 */
const ENDS = new Set(["Delete", "Undo", "Reject", "Leave"]);
/** Type by which an actor that only its own server suspended comes back. */
const COMES_BACK = "Update";

/** Whether an activity of an actor may have an effect, depending on who suspended the actor. */
export const mayAct = (
  { suspended, suspendedRemotely }: { suspended: boolean; suspendedRemotely: boolean },
  body: Json,
): boolean =>
  !suspended ||
  typesOf(body).some((type) => ENDS.has(type) || (suspendedRemotely && type === COMES_BACK));

/** Returns the address of the activity's object. */
export const objectUri = (body: Json): string | null => httpUrl(idOf(body["object"]));

/** Returns the activity's id if it is on the actor's host; otherwise one made from actor and object. */
export const activityUri = ({ actor, body }: Pick<Incoming, "actor" | "body">): string => {
  const id = httpUrl(textOf(body["id"]));
  if (id && sameHost(id, actor.uri)) return id;
  const ownId = `${actor.uri}#${encodeURIComponent(objectUri(body) ?? "")}`;
  return httpUrl(ownId) ?? `${actor.uri}#${createHash("sha256").update(ownId).digest("base64url")}`;
};

/** Returns the published time if it is in the past, else now. */
export const publishedAt = ({ body, now }: Incoming): Date => {
  const date = dateOf(body["published"]);
  return date && date < now && date.getUTCFullYear() >= 1990 ? date : now;
};

/** Makes the sending actor the author of an object without one. */
export const withAuthor = ({ actor }: Pick<Incoming, "actor">, object: Json): Json =>
  authorUris(object).length > 0 ? object : { ...object, attributedTo: actor.uri };

/** Returns the context in which a note of the actor is parsed. */
export const noteContext = ({ actor, now }: Pick<Incoming, "actor" | "now">): NoteContext => ({
  actorUri: actor.uri,
  followersUrl: actor.followers_url,
  domain: actor.domain,
  now,
});
