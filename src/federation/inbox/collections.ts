// Add and Remove: what an actor pins to their profile, posts and hashtags.

import type { App } from "../../platform/app.ts";
import { idOf, isRecord, sameHost, typesOf } from "../../platform/json/read.ts";
import { asActor } from "../../platform/viewer.ts";
import { loadVisible } from "../../domain/statuses/load.ts";
import { pin, unpin } from "../../domain/statuses/mark.ts";
import { addRemoteFeatured, removeRemoteFeatured } from "../../domain/tags/feature-tag.ts";
import { hashtagOf } from "../featured-tags.ts";
import { statusByUri } from "../notes.ts";
import { objectUri } from "./handler.ts";
import type { Handler, Incoming } from "./handler.ts";
import { selectIsFollowedHere, selectStatusByUri } from "./queries.ts";

/** The actor's own collection of pinned posts. */
const isFeatured = ({ actor, body }: Incoming): boolean =>
  actor.featured_url !== null && idOf(body["target"]) === actor.featured_url;

/**
 * The hashtag that the activity is about: peers name the collection of pinned posts for these too,
 * or the one of hashtags.
 */
const tagMeant = (incoming: Incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  if (!isRecord(object) || !typesOf(object).includes("Hashtag")) return null;
  const ofTags =
    actor.featured_tags_url !== null && idOf(body["target"]) === actor.featured_tags_url;
  return isFeatured(incoming) || ofTags ? hashtagOf(object) : null;
};

/** The post's id: an unknown one is looked up if somebody here follows the actor. */
const pinned = async (app: App, { actor, body }: Incoming): Promise<string | null> => {
  const uri = objectUri(body);
  if (!uri || !sameHost(uri, actor.uri)) return null;
  const known = await selectStatusByUri(app.sql, uri);
  if (known) return known.id;
  return (await selectIsFollowedHere(app.sql, actor.id)) ? statusByUri(app, uri) : null;
};

export const addOne: Handler = async (app, incoming) => {
  const tag = tagMeant(incoming);
  if (tag) return addRemoteFeatured(app, incoming.actor.id, tag);
  if (!isFeatured(incoming)) return;
  const id = await pinned(app, incoming);
  const [view] = id ? await loadVisible(app, [id], asActor(incoming.actor.id)) : [];
  if (view && view.account_id === incoming.actor.id) await pin(app, incoming.actor.id, view);
};

export const removeOne: Handler = async (app, incoming) => {
  const { actor, body } = incoming;
  const tag = tagMeant(incoming);
  if (tag) return removeRemoteFeatured(app, actor.id, tag);
  const known = isFeatured(incoming) && (await selectStatusByUri(app.sql, objectUri(body) ?? ""));
  if (known && known.account_id === actor.id) await unpin(app, actor.id, known.id);
};
