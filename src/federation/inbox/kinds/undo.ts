// Undo of the actor's own activities, which are named by their id or embedded.

import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { answerOfType } from "../../../domain/posts/events/activitypub.ts";
import { unblock } from "../../../domain/people/relationships/block.ts";
import { unfollowFormer } from "../../../domain/people/relationships/former-follows.ts";
import { unfollow } from "../../../domain/people/relationships/unfollow.ts";
import { objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Change } from "../apply.ts";
import type { Facts } from "../facts.ts";
import type { KnownActivity, KnownActor } from "../queries-facts.ts";
import { NOTHING, apply, run } from "../decision.ts";
import type { Parse, Parsed, Decision } from "../decision.ts";
import { eventUri, withdraw } from "./events.ts";
import { parseReject } from "./follows.ts";

const endRelation = (kind: "follow" | "block", actor: KnownActor, targetId: string): Decision => {
  const pair = { accountId: actor.id, targetId };
  return run((app) => (kind === "follow" ? unfollow(app, pair) : unblock(app, pair)));
};

/** `uri` is that of the Like or reaction. */
const unlike = (actor: KnownActor, statusId: string, uri?: string): Change => ({
  do: "unfavourite",
  favourite: { accountId: actor.id, statusId, ...(uri !== undefined && { uri }) },
});

/** Undoes the stored activity with this id; null when there is none. */
const undoById = ({ actor }: Incoming, uri: string, facts: Facts): Decision | null => {
  const status = facts.status(uri);
  if (status) {
    const isOwnReblog = status.account_id === actor.id && status.reblog_of_id !== null;
    return isOwnReblog ? apply({ do: "remove", statusId: status.id }) : NOTHING;
  }
  const known: KnownActivity | undefined = facts.activityBy(actor.id, uri);
  if (!known) return null;
  const { kind, target_id: targetId } = known;
  if (kind === "like") return apply(unlike(actor, targetId, uri));
  if (kind === "answer") return run((app) => withdraw(app, actor, targetId, null));
  return endRelation(kind, actor, targetId);
};

/** Whether the undone activity is about a former address of this server. */
const isOfFormer = ({ sent: { object }, formerNames }: Incoming): boolean =>
  isRecord(object) && formerNames(objectUri(object)) !== null;

const endFollow = (incoming: Incoming, targetId: string): Decision => {
  const { actor } = incoming;
  if (!isOfFormer(incoming)) return endRelation("follow", actor, targetId);
  return run((app) => unfollowFormer(app, { accountId: actor.id, targetId }));
};

/** Undoes by the content of the embedded activity, when it has no id or none that is stored. */
const undoByContent = (incoming: Incoming, undone: Json, facts: Facts): Decision => {
  const { actor } = incoming;
  const types = typesOf(undone);
  const uri = objectUri(undone);
  const account = facts.localAccount(uri);
  if (account && types.includes("Follow")) return endFollow(incoming, account.id);
  if (account && types.includes("Block")) return endRelation("block", actor, account.id);
  const status = facts.status(uri);
  if (status && (types.includes("Like") || types.includes("EmojiReact")))
    return apply(unlike(actor, status.id));
  const answer = answerOfType(types);
  if (status?.local && answer) return run((app) => withdraw(app, actor, status.id, answer));
  const reblogId = types.includes("Announce") ? facts.reblogBy(actor.id, uri ?? "") : undefined;
  return reblogId === undefined ? NOTHING : apply({ do: "remove", statusId: reblogId });
};

/** Remembers the id, so that an activity that arrives later under it has no effect. */
const withEarlyDelete = (decision: Decision, { actor }: Incoming, uri: string): Decision => {
  if (!sameHost(uri, actor.uri)) return decision;
  const change: Change = { do: "earlyDelete", earlyDelete: { actorUri: actor.uri, uri } };
  if (decision.kind === "run") return { ...decision, changes: [change] };
  return decision.kind === "apply" ? apply(...decision.changes, change) : apply(change);
};

const lookupsFor = ({ actor, isLocalUri }: Incoming, undone: Json | null, uri: string | null) => {
  const target = undone && objectUri(undone);
  const targets = target ? [target] : [];
  const own = uri !== null && !isLocalUri(uri) ? [uri] : [];
  const isAnnounce = undone !== null && typesOf(undone).includes("Announce");
  return {
    statuses: [...own, ...targets],
    activities: own,
    accounts: targets,
    reblogs: isAnnounce ? targets.map((statusUri) => ({ actorId: actor.id, statusUri })) : [],
  };
};

const isByActor = ({ actor }: Incoming, undone: Json): boolean =>
  undone["actor"] === undefined || idOf(undone["actor"]) === actor.uri;

export const parseUndo: Parse = (incoming): Parsed | null => {
  const { object } = incoming.body;
  const undone = isRecord(object) ? object : null;
  if (undone && !isByActor(incoming, undone)) return null;
  // Undoing an Accept ends the follow, as a Reject does; an Accept of a calendar event is an answer to it.
  if (undone && typesOf(undone).includes("Accept") && !eventUri(incoming, undone)) {
    const sent = isRecord(incoming.sent["object"]) ? incoming.sent["object"] : undone;
    return parseReject({ ...incoming, body: undone, sent });
  }
  const uri = httpUrl(idOf(object));
  return {
    lookups: lookupsFor(incoming, undone, uri),
    judge(facts) {
      const isRemote = uri !== null && !incoming.isLocalUri(uri);
      const known = isRemote ? undoById(incoming, uri, facts) : null;
      if (known) return known;
      const decision = undone ? undoByContent(incoming, undone, facts) : NOTHING;
      return uri === null ? decision : withEarlyDelete(decision, incoming, uri);
    },
  };
};
