// An incoming activity, and what the parsers of several kinds read from it.

import { createHash } from "node:crypto";
import type { FormerNames } from "../../platform/config/names.ts";
import { dateOf, httpUrl, idOf, sameHost, textOf, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { authorUris } from "../../domain/posts/statuses/parse-note.ts";
import type { NoteContext } from "../../domain/posts/statuses/parse-note.ts";
import type { KnownActor } from "./queries-facts.ts";

/** `text`: what the body was parsed from, and what is stored. */
export type Received = { body: Json; actorUri: string; text: string };

/** All that parsing and judging an activity needs, so that both are pure. */
export type Incoming = {
  actor: KnownActor;
  body: Json;
  now: Date;
  /** As it was sent; `body` has the present names of this server in place of its former ones. */
  sent: Json;
  /** Whether an address is on this server. */
  isLocalUri: (uri: string) => boolean;
  /** The former names under which an address is, as it was sent. */
  formerNames: (uri: string | null) => FormerNames | null;
  /** The actor is a relay that this server subscribes to. */
  isRelay: boolean;
  /** A relay brought it. */
  isRelayed?: boolean;
};

/** What ends something counts for suspended people as well: it is not done again when the suspension is lifted. */
const ENDS = new Set(["Delete", "Undo", "Reject", "Leave"]);
/** Whom only the own server suspended comes back by it. */
const COMES_BACK = "Update";

/** Whether an activity of an actor may have an effect, by who suspended that actor. */
export const mayAct = (
  { suspended, suspendedRemotely }: { suspended: boolean; suspendedRemotely: boolean },
  body: Json,
): boolean =>
  !suspended ||
  typesOf(body).some((type) => ENDS.has(type) || (suspendedRemotely && type === COMES_BACK));

/** The address of the activity's object. */
export const objectUri = (body: Json): string | null => httpUrl(idOf(body["object"]));

/** The activity's id where it is on the actor's host; otherwise one made from actor and object. */
export const activityUri = ({ actor, body }: Pick<Incoming, "actor" | "body">): string => {
  const id = httpUrl(textOf(body["id"]));
  if (id && sameHost(id, actor.uri)) return id;
  const ownId = `${actor.uri}#${encodeURIComponent(objectUri(body) ?? "")}`;
  return httpUrl(ownId) ?? `${actor.uri}#${createHash("sha256").update(ownId).digest("base64url")}`;
};

/** The published time where it is in the past, else now. */
export const publishedAt = ({ body, now }: Incoming): Date => {
  const date = dateOf(body["published"]);
  return date && date < now && date.getUTCFullYear() >= 1990 ? date : now;
};

/** An object that names no author is the actor's that sends it. */
export const withAuthor = ({ actor }: Pick<Incoming, "actor">, object: Json): Json =>
  authorUris(object).length > 0 ? object : { ...object, attributedTo: actor.uri };

/** The context in which a note of the actor is parsed. */
export const noteContext = ({ actor, now }: Pick<Incoming, "actor" | "now">): NoteContext => ({
  actorUri: actor.uri,
  followersUrl: actor.followers_url,
  domain: actor.domain,
  now,
});
