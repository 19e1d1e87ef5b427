// Announce: a reblog of a local post, or of any post by an actor with local followers. Groups announce whole activities
// (FEP-1b12): a new post counts as a reblog, and other changes of posts are read from their origin.

import { httpUrl, idOf, idsOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { addressedVisibility } from "../../../domain/posts/statuses/parse-note.ts";
import { needsProof } from "../../../domain/posts/statuses/rules.ts";
import { newReblog } from "../../../domain/posts/statuses/reblog.ts";
import type { Visibility } from "../../../domain/posts/statuses/visibility.ts";
import {
  remoteVisibilityFacts,
  openToFollowers,
  openToReblogs,
} from "../../../domain/posts/statuses/visibility.ts";
import { objectUri, publishedAt } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Facts } from "../facts.ts";
import type { StatusFacts } from "../queries-facts.ts";
import { NOTHING, aboutUnknownPost, apply, fetchFirst } from "../decision.ts";
import type { Parse, Parsed, Decision } from "../decision.ts";
import { unverified } from "../unverified.ts";
import { parseForwarded } from "./update.ts";

type Announce = {
  uri: string;
  target: string;
  visibility: Visibility;
  /** Address of the authorization by which the post's author allowed the reblog: announceAuthorization (GoToSocial). */
  approvalUri: string | null;
};

const readAnnounce = ({ actor, body }: Incoming): Announce | null => {
  const target = objectUri(body);
  const uri = httpUrl(body["id"]);
  const visibility = addressedVisibility(idsOf(body["to"]), idsOf(body["cc"]), actor.followers_url);
  // A reblog is stored under this id, so the actor's server must be allowed to assign it.
  if (
    !target ||
    !uri ||
    !sameHost(uri, actor.uri) ||
    !openToFollowers(remoteVisibilityFacts(visibility))
  )
    return null;
  const approvalUri = httpUrl(idOf(body["announceAuthorization"]));
  return { uri, target, visibility, approvalUri };
};

const mayReblog = ({ actor }: Incoming, status: StatusFacts, facts: Facts): boolean =>
  status.reblog_of_id === null &&
  facts.maySee(actor.id, status) &&
  openToReblogs(status, status.account_id === actor.id);

const judgeAnnounce = (incoming: Incoming, announce: Announce, facts: Facts): Decision => {
  const { actor, isLocalUri } = incoming;
  const { uri, target, visibility } = announce;
  if (facts.wasDeletedEarly(actor.uri, uri)) return NOTHING;
  const status = facts.status(target);
  // Nobody here would see it, so not even the target is looked up.
  if (!status?.local && !facts.hasLocalFollowers(actor.id)) return NOTHING;
  if (!status) {
    if (isLocalUri(target) || facts.wasFetched(target)) return NOTHING;
    return fetchFirst({ uri: target, kind: "note", ifUnreachable: "later" });
  }
  if (!mayReblog(incoming, status, facts)) return NOTHING;
  const isOthers = !status.local && status.account_id !== actor.id;
  if (isOthers && needsProof(status, "announce")) {
    const claim = { kind: "announce" as const, uri: announce.approvalUri, interactingUri: uri };
    const lacking = unverified(facts, { ...claim, targetUri: status.uri });
    if (lacking) return lacking;
  }
  const ids = { accountId: actor.id, targetId: status.id };
  const reblog = newReblog({ ...ids, visibility, uri, createdAt: publishedAt(incoming) });
  return apply({ do: "create", status: reblog });
};

/** Treats an activity that a group announces as forwarded: only its own server is believed. */
const asForwarded = ({ actor, body, ...incoming }: Incoming, inner: Json): Parsed | null => {
  const author = httpUrl(idOf(inner["actor"]));
  const object = httpUrl(idOf(inner["object"]));
  if (!author || !object) return null;
  const isRemoval = typesOf(inner).includes("Delete");
  const stub = { type: "Forwarded", actor: actor.uri, author, object, isRemoval };
  return parseForwarded({ ...incoming, actor, body: { ...body, ...stub } });
};

/** Reads a reply in a group where the post above it is known; it is no reblog. */
const announcedAnswer = (incoming: Incoming, inner: Json, parentUri: string): Parsed | null => {
  const parsed = asForwarded(incoming, inner);
  return (
    parsed && {
      lookups: { ...parsed.lookups, statuses: [...(parsed.lookups.statuses ?? []), parentUri] },
      judge: (facts) => (facts.status(parentUri) ? parsed.judge(facts) : NOTHING),
    }
  );
};

/** Asks the origin of a known post whether a moderator closed it to replies, or opened it again. */
const announcedLock = ({ isLocalUri }: Incoming, lock: Json): Parsed | null => {
  const uri = objectUri(lock);
  if (!uri || isLocalUri(uri)) return null;
  return {
    lookups: { statuses: [uri] },
    judge: (facts) =>
      facts.status(uri)?.reblog_of_id === null && !facts.wasFetched(uri)
        ? fetchFirst({ uri, kind: "note", refresh: true, ifUnreachable: "later" })
        : NOTHING,
  };
};

/**
 * Handles an announced removal. If its author deleted it, the origin is asked. Anything else that a group reports as
 * deleted is only removed from the group by a moderator, and the group's own boost ends.
 */
const announcedRemoval = (incoming: Incoming, inner: Json): Parsed | null => {
  const target = objectUri(inner);
  if (!target) return null;
  const { id: actorId } = incoming.actor;
  const forwarded = asForwarded(incoming, inner);
  return {
    lookups: { ...forwarded?.lookups, reblogs: [{ actorId, statusUri: target }] },
    judge(facts) {
      const decision = forwarded?.judge(facts) ?? NOTHING;
      const statusId = facts.reblogBy(actorId, target);
      if (decision.kind !== "nothing" || statusId === undefined) return decision;
      return apply({ do: "remove", statusId });
    },
  };
};

const parseAnnounced = (incoming: Incoming, inner: Json): Parsed | null => {
  const types = typesOf(inner);
  if (types.includes("Delete")) return announcedRemoval(incoming, inner);
  if (types.includes("Update")) return asForwarded(incoming, inner);
  const { object } = inner;
  const lock = types.includes("Undo") && isRecord(object) ? object : inner;
  if (typesOf(lock).includes("Lock")) return announcedLock(incoming, lock);
  if (!types.includes("Create")) return null;
  const parentUri = isRecord(object) ? httpUrl(idOf(object["inReplyTo"])) : null;
  if (parentUri) return announcedAnswer(incoming, inner, parentUri);
  return parseReblog({ ...incoming, body: { ...incoming.body, object: idOf(object) } });
};

const ACTIVITIES = "Create Update Delete Like Dislike Undo Add Remove Lock Block".split(" ");

/** Reads a post whose existence a relay announces; it is not boosted. */
const parseRelayed: Parse = ({ body, isLocalUri }) => {
  const uri = objectUri(body);
  if (!uri || isLocalUri(uri)) return null;
  return aboutUnknownPost({ uri, ifUnreachable: "without" });
};

export const parseAnnounce: Parse = (incoming) => {
  if (incoming.isRelay) return parseRelayed(incoming);
  const { object } = incoming.body;
  const isActivity = typesOf(object).some((type) => ACTIVITIES.includes(type));
  return isRecord(object) && isActivity ? parseAnnounced(incoming, object) : parseReblog(incoming);
};

const parseReblog: Parse = (incoming) => {
  const announce = readAnnounce(incoming);
  if (!announce) return null;
  const { uri, target } = announce;
  return {
    lookups: {
      statuses: [target],
      earlyDeletes: [uri],
      interactions: [{ actorId: incoming.actor.id, statusUri: target }],
    },
    judge: (facts) => judgeAnnounce(incoming, announce, facts),
  };
};
