// An activity that came in, and the questions that reading several kinds of it asks.

import { dateOf, httpUrl, idOf, sameHost, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import type { NoteContext } from "../../domain/statuses/parse-note.ts";
import type { KnownActor } from "./queries-facts.ts";

/** All that reading and judging an activity needs, so that both are pure. */
export type Incoming = {
  actor: KnownActor;
  body: Json;
  now: Date;
  /** Whether an address is on this server. */
  isOurs: (uri: string) => boolean;
};

/** The address of the activity's object. */
export const objectUri = (body: Json): string | null => httpUrl(idOf(body["object"]));

/** The activity's own id, if it is one that this actor may give; a made-up one where it has none. */
export const activityUri = ({ actor, body }: Pick<Incoming, "actor" | "body">): string => {
  const id = httpUrl(textOf(body["id"]));
  if (id && sameHost(id, actor.uri)) return id;
  return `${actor.uri}#${encodeURIComponent(objectUri(body) ?? "")}`;
};

/** The published time where it is in the past, else now. */
export const publishedAt = ({ body, now }: Incoming): Date => {
  const date = dateOf(body["published"]);
  return date && date < now && date.getUTCFullYear() >= 1990 ? date : now;
};

/** What a note by the actor is read with. */
export const noteContext = ({ actor, now }: Pick<Incoming, "actor" | "now">): NoteContext => ({
  actorUri: actor.uri,
  followersUrl: actor.followers_url,
  now,
});
