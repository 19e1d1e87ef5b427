// Follow, Accept, Reject and Block between a remote actor and a local account.

import { httpUrl, idOf, isRecord, typesOf } from "../../../platform/json/read.ts";
import { acceptFollow } from "../../../domain/people/relationships/accept-follow.ts";
import { block } from "../../../domain/people/relationships/block.ts";
import { follow } from "../../../domain/people/relationships/follow.ts";
import { rejectFormer } from "../../../domain/people/relationships/former-follows.ts";
import { rejectFollow } from "../../../domain/people/relationships/reject-follow.ts";
import type { App } from "../../../platform/app.ts";
import { answerFormerFollow, endFormerFollow } from "../../former-names.ts";
import { activityUri, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Facts } from "../facts.ts";
import { NOTHING, run } from "../decision.ts";
import type { Parse, Parsed } from "../decision.ts";

type Pair = { accountId: string; targetId: string };

type Command = (app: App, pair: Pair & { uri: string }) => Promise<unknown>;

/** Parses Follow and Block of a local account. */
const startsRelation =
  (commandFor: (incoming: Incoming) => Command): Parse =>
  (incoming) => {
    const { actor, body } = incoming;
    const target = objectUri(body);
    if (!target) return null;
    const uri = activityUri(incoming);
    const command = commandFor(incoming);
    return {
      lookups: { accounts: [target], earlyDeletes: [uri] },
      judge(facts) {
        const account = facts.localAccount(target);
        if (!account || facts.wasDeletedEarly(actor.uri, uri)) return NOTHING;
        return run((app) => command(app, { accountId: actor.id, targetId: account.id, uri }));
      },
    };
  };

export const parseFollow: Parse = startsRelation(({ sent, formerNames }) => {
  const names = formerNames(objectUri(sent));
  return names ? (app, pair) => answerFormerFollow(app, { ...pair, names }) : follow;
});
export const parseBlock: Parse = startsRelation(() => block);

/** Returns the local account that follows the actor, where the Follow is embedded. */
const namedFollower = ({ actor, body }: Incoming): string | null => {
  const { object } = body;
  if (!isRecord(object) || !typesOf(object).includes("Follow")) return null;
  return idOf(object["object"]) === actor.uri ? httpUrl(idOf(object["actor"])) : null;
};

type Answer = (app: App, pair: Pair) => Promise<unknown>;

/** Whether an activity is about a Follow that was sent under a former name of this server. */
const answersFormer = ({ sent: { object }, formerNames }: Incoming): boolean =>
  formerNames(idOf(object)) !== null ||
  (isRecord(object) && formerNames(idOf(object["actor"])) !== null);

/** Answers under the present name, and ends the Follow under the former one. */
const ending =
  (answer: Answer): Answer =>
  async (app, pair) => {
    await answer(app, pair);
    await endFormerFollow(app, { ...pair, uri: null });
  };

/** Parses Accept and Reject of a local account's Follow, which is named by its id or embedded. */
const answerFollow =
  ({ present, former }: { present: Answer; former: Answer }) =>
  (incoming: Incoming): Parsed => {
    const command = answersFormer(incoming) ? former : present;
    const { actor, body } = incoming;
    const uri = idOf(body["object"]);
    const named = namedFollower(incoming);
    const followerOf = (facts: Facts): string | undefined =>
      (uri === null ? undefined : facts.followerBy(actor.id, uri)) ?? facts.localAccount(named)?.id;
    return {
      lookups: { activities: uri === null ? [] : [uri], accounts: named === null ? [] : [named] },
      judge(facts) {
        const accountId = followerOf(facts);
        if (accountId === undefined) return NOTHING;
        return run((app) => command(app, { accountId, targetId: actor.id }));
      },
    };
  };

/**
 * Parses an Accept. Follows sent under a former name were sent again under the present one: only that answer counts.
 */
export const parseAccept = answerFollow({
  present: ending(acceptFollow),
  former: async () => {},
});
export const parseReject = answerFollow({ present: ending(rejectFollow), former: rejectFormer });
