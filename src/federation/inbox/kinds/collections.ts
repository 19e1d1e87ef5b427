// Add and Remove of the posts and hashtags that an actor features on its profile, and of its collections of accounts.

import { idOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import { asActor } from "../../../platform/viewer.ts";
import { pin, unpin } from "../../../domain/posts/statuses/acts.ts";
import { addRemoteFeatured, removeRemoteFeatured } from "../../../domain/posts/tags/feature-tag.ts";
import { hashtagOf } from "../../featured-tags.ts";
import { objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse, Parsed, Run } from "../decision.ts";
import { parseCollectionAdd, parseCollectionRemove } from "./features.ts";

/** Whether the target is the actor's own collection of pinned posts. */
const isFeatured = ({ actor, body }: Incoming): boolean =>
  actor.featured_url !== null && idOf(body["target"]) === actor.featured_url;

/**
 * Returns the featured hashtag. Some peers name the collection of pinned posts as the target, others that of hashtags.
 */
const hashtagIn = (incoming: Incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  if (!isRecord(object) || !typesOf(object).includes("Hashtag")) return null;
  const ofTags =
    actor.featured_tags_url !== null && idOf(body["target"]) === actor.featured_tags_url;
  return isFeatured(incoming) || ofTags ? hashtagOf(object) : null;
};

const always = (command: Run): Parsed => ({ lookups: {}, judge: () => run(command) });

/** Fetches an unknown post if the actor has local followers. */
const parsePin: Parse = ({ actor, body }) => {
  const uri = objectUri(body);
  if (!uri || !sameHost(uri, actor.uri)) return null;
  return {
    lookups: { statuses: [uri] },
    judge(facts) {
      const status = facts.status(uri);
      if (status?.reblog_of_id) return NOTHING;
      if (status && status.account_id !== actor.id) return NOTHING;
      if (status) return run((app) => pin(app, asActor(actor.id), status.id));
      if (facts.wasFetched(uri) || !facts.hasLocalFollowers(actor.id)) return NOTHING;
      return fetchFirst({ uri, kind: "note", ifUnreachable: "later" });
    },
  };
};

const parseUnpin: Parse = ({ actor, body }) => {
  const uri = objectUri(body);
  if (!uri) return null;
  return {
    lookups: { statuses: [uri] },
    judge(facts) {
      const status = facts.status(uri);
      if (status?.account_id !== actor.id) return NOTHING;
      return run((app) => unpin(app, asActor(actor.id), status.id));
    },
  };
};

export const parseAdd: Parse = (incoming) => {
  const tag = hashtagIn(incoming);
  if (tag) return always((app) => addRemoteFeatured(app, incoming.actor.id, tag));
  return isFeatured(incoming) ? parsePin(incoming) : parseCollectionAdd(incoming);
};

export const parseRemove: Parse = (incoming) => {
  const tag = hashtagIn(incoming);
  if (tag) return always((app) => removeRemoteFeatured(app, incoming.actor.id, tag));
  return isFeatured(incoming) ? parseUnpin(incoming) : parseCollectionRemove(incoming);
};
