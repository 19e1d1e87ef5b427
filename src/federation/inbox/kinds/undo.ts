// Undo: of what the actor did themselves, named by its id or given whole.

import { httpUrl, idOf, isRecord, sameHost, typesOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { unblock } from "../../../domain/relationships/unblock.ts";
import { unfollow } from "../../../domain/relationships/unfollow.ts";
import { objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Act } from "../apply.ts";
import type { Facts } from "../facts.ts";
import type { KnownAct, KnownActor } from "../queries-facts.ts";
import { NOTHING, apply, run } from "../verdict.ts";
import type { Parse, Parsed, Verdict } from "../verdict.ts";
import { parseReject } from "./follows.ts";

const endRelation = (kind: "follow" | "block", actor: KnownActor, targetId: string): Verdict => {
  const pair = { accountId: actor.id, targetId };
  return run((app) => (kind === "follow" ? unfollow(app, pair) : unblock(app, pair)));
};

const unlike = (actor: KnownActor, statusId: string): Act => ({
  do: "unfavourite",
  favour: { accountId: actor.id, statusId },
});

/** By the id under which we know the act. Null when we know none. */
const undoById = ({ actor }: Incoming, uri: string, facts: Facts): Verdict | null => {
  const status = facts.status(uri);
  if (status) {
    const isOwnReblog = status.account_id === actor.id && status.reblog_of_id !== null;
    return isOwnReblog ? apply({ do: "remove", statusId: status.id }) : NOTHING;
  }
  const act: KnownAct | undefined = facts.actBy(actor.id, uri);
  if (!act) return null;
  const { kind, target_id: targetId } = act;
  return kind === "like" ? apply(unlike(actor, targetId)) : endRelation(kind, actor, targetId);
};

/** By what the act says, when it came without an id or with one that we did not store. */
const undoByContent = ({ actor }: Incoming, act: Json, facts: Facts): Verdict => {
  const types = typesOf(act);
  const uri = objectUri(act);
  const person = facts.localPerson(uri);
  if (person && types.includes("Follow")) return endRelation("follow", actor, person.id);
  if (person && types.includes("Block")) return endRelation("block", actor, person.id);
  const status = facts.status(uri);
  if (status && types.includes("Like")) return apply(unlike(actor, status.id));
  const reblogId = types.includes("Announce") ? facts.reblogBy(actor.id, uri ?? "") : undefined;
  return reblogId === undefined ? NOTHING : apply({ do: "remove", statusId: reblogId });
};

/** An act that comes late under this id does nothing. */
const noteUndone = (verdict: Verdict, { actor }: Incoming, uri: string): Verdict => {
  if (!sameHost(uri, actor.uri)) return verdict;
  const act: Act = { do: "noteDelete", gone: { actorUri: actor.uri, uri } };
  if (verdict.kind === "run") return { ...verdict, acts: [act] };
  return verdict.kind === "apply" ? apply(...verdict.acts, act) : apply(act);
};

const wantedFor = ({ actor, isOurs }: Incoming, act: Json | null, uri: string | null) => {
  const target = act && objectUri(act);
  const targets = target ? [target] : [];
  const own = uri !== null && !isOurs(uri) ? [uri] : [];
  const isAnnounce = act !== null && typesOf(act).includes("Announce");
  return {
    statuses: [...own, ...targets],
    acts: own,
    people: targets,
    reblogs: isAnnounce ? targets.map((statusUri) => ({ actorId: actor.id, statusUri })) : [],
  };
};

const isTheirOwn = ({ actor }: Incoming, act: Json): boolean =>
  act["actor"] === undefined || idOf(act["actor"]) === actor.uri;

export const parseUndo: Parse = (incoming): Parsed | null => {
  const { object } = incoming.body;
  const act = isRecord(object) ? object : null;
  if (act && !isTheirOwn(incoming, act)) return null;
  // An Accept taken back ends the follow, as a Reject does.
  if (act && typesOf(act).includes("Accept")) return parseReject({ ...incoming, body: act });
  const uri = httpUrl(idOf(object));
  return {
    wanted: wantedFor(incoming, act, uri),
    judge(facts) {
      const isTheirs = uri !== null && !incoming.isOurs(uri);
      const known = isTheirs ? undoById(incoming, uri, facts) : null;
      if (known) return known;
      const verdict = act ? undoByContent(incoming, act, facts) : NOTHING;
      return uri === null ? verdict : noteUndone(verdict, incoming, uri);
    },
  };
};
