// Answers to calendar events of this server: Join and Leave (Mobilizon), and Accept, TentativeAccept and Reject of the
// event (Friendica, Hubzilla). Also the Reject of an answer that people here gave to the actor's event. The command
// that local people answer by decides who may answer. docs/design/events.md

import { randomUUID } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { isRefusal, nullOn } from "../../../platform/errors.ts";
import { sameHost, typesOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { asActor } from "../../../platform/viewer.ts";
import { loadAccounts } from "../../../domain/people/accounts/load.ts";
import { joinAnswer } from "../../../domain/posts/events/activitypub.ts";
import type { Join } from "../../../domain/posts/events/activitypub.ts";
import { changeAnswer } from "../../../domain/posts/events/answer.ts";
import { loadAnswers } from "../../../domain/posts/events/load.ts";
import type { Answer } from "../../../domain/posts/events/tables.ts";
import { answerEvent, withdrawAnswer } from "../../../domain/posts/statuses/answer-event.ts";
import { loadAsServer } from "../../../domain/posts/statuses/load.ts";
import type { StatusView } from "../../../domain/posts/statuses/tables.ts";
import { actorNameIn } from "../../actor-paths.ts";
import { deliver, ownInboxOf } from "../../deliver.ts";
import { objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import { allLookups } from "../facts.ts";
import type { KnownActivity, KnownActor, StatusFacts } from "../queries-facts.ts";
import { NOTHING, aboutOwnPost, run } from "../decision.ts";
import type { JudgePost, Parse, Parsed } from "../decision.ts";

const STATUS_PATH = /^\/statuses\/\d{1,18}$/;

/** Returns the local post that an activity may answer as an event; null where it is about something else. */
export const eventUri = ({ isLocalUri }: Pick<Incoming, "isLocalUri">, body: Json) => {
  const uri = objectUri(body);
  if (!uri || !isLocalUri(uri)) return null;
  const types = typesOf(body["object"]);
  if (types.length > 0 && !types.includes("Event")) return null;
  const rest = actorNameIn(new URL(uri).pathname)?.rest ?? "";
  return STATUS_PATH.test(rest) ? uri : null;
};

/** Returns false where the command refuses. */
const isDone = async (command: Promise<unknown>): Promise<boolean> =>
  (await nullOn(
    isRefusal,
    command.then(() => true),
  )) !== null;

/** Parses an activity that is about an event, as far as its address says. */
const aboutEvent = (incoming: Incoming, judge: JudgePost): Parsed | null => {
  const target = eventUri(incoming, incoming.body);
  return target && !incoming.actor.suspended ? aboutOwnPost(incoming, target, judge) : null;
};

/** Parses Accept, TentativeAccept and Reject of an event; null for those of something else. */
export const parseEventAnswer = (incoming: Incoming, answer: Answer): Parsed | null =>
  incoming.body["result"] === undefined
    ? aboutEvent(incoming, ({ id }, uri) =>
        run((app) => isDone(answerEvent(app, asActor(incoming.actor.id), id, answer, uri))),
      )
    : null;

/**
 * Answers a Join, also one that was answered before, since that answer may not have arrived. If the post is no event,
 * nothing is sent.
 */
const answerJoin = async (app: App, actor: KnownActor, status: StatusFacts, join: Join) => {
  const isTaken = await isDone(answerEvent(app, asActor(actor.id), status.id, "yes", join.id));
  const [view] = await loadAsServer(app, [status.id]);
  const joiner = (await loadAccounts(app, [actor.id])).get(actor.id);
  if (!view?.event || !joiner) return;
  const { account: author } = view;
  const type = isTaken ? "Accept" : "Reject";
  const id = `${author.uri}#${type.toLowerCase()}s/joins/${randomUUID()}`;
  const activity = joinAnswer(type, { id, author: author.uri, join });
  const inboxes = [ownInboxOf(joiner)];
  await deliver(app, app.sql, [{ accountId: author.id, activity, inboxes }]);
};

export const parseJoin: Parse = (incoming) => {
  const { actor, body } = incoming;
  return aboutEvent(incoming, (status, id) => {
    const join = { id, actor: actor.uri, object: objectUri(body)! };
    return run((app) => answerJoin(app, actor, status, join));
  });
};

/** Withdraws the actor's answer if it is `answer`, or any answer for null. */
export const withdraw = async (
  app: App,
  actor: KnownActor,
  statusId: string,
  answer: Answer | null,
): Promise<void> => {
  const stored = (await loadAnswers(app.sql, actor.id, [statusId])).get(statusId);
  if (!stored || (answer !== null && stored !== answer)) return;
  await isDone(withdrawAnswer(app, asActor(actor.id), statusId));
};

export const parseLeave: Parse = (incoming) => {
  const { actor, body } = incoming;
  const target = eventUri(incoming, body);
  if (!target) return null;
  return {
    lookups: { statuses: [target] },
    judge(facts) {
      const status = facts.status(target);
      return status?.local ? run((app) => withdraw(app, actor, status.id, null)) : NOTHING;
    },
  };
};

/**
 * Whether the actor may reject an answer: the event's author, or for an event of a group (Mobilizon) whoever its server
 * lets decide.
 */
const mayReject = (actor: KnownActor, { account, uri }: StatusView): boolean =>
  actor.id === account.id || (account.actor_type === "Group" && sameHost(actor.uri, uri));

const reject = async (app: App, actor: KnownActor, answer: KnownActivity): Promise<void> => {
  const { account_id: accountId, target_id: statusId } = answer;
  const [view] = await loadAsServer(app, [statusId]);
  if (!view || view.local || !mayReject(actor, view)) return;
  await isDone(changeAnswer(app, { statusId, accountId }, null, false));
};

/**
 * Parses a Reject of a local person's answer, named by its id or embedded; `otherwise` is the parse of any other
 * Reject.
 */
export const parseRejectedAnswer = (incoming: Incoming, otherwise: Parsed | null) => {
  const uri = objectUri(incoming.body);
  if (!uri || !incoming.isLocalUri(uri)) return otherwise;
  const parsed: Parsed = {
    lookups: allLookups([otherwise?.lookups ?? {}, { activities: [uri] }]),
    judge(facts) {
      const answer = facts.answerBy(uri);
      if (!answer) return otherwise?.judge(facts) ?? NOTHING;
      return run((app) => reject(app, incoming.actor, answer));
    },
  };
  return parsed;
};
