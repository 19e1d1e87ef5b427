// Follow, Accept, Reject and Block between a remote actor and a local account.

import { httpUrl, idOf, isRecord, typesOf } from "../../../platform/json/read.ts";
import { acceptFollow } from "../../../domain/relationships/accept-follow.ts";
import { block } from "../../../domain/relationships/block.ts";
import { follow } from "../../../domain/relationships/follow.ts";
import { rejectFollow } from "../../../domain/relationships/reject-follow.ts";
import type { App } from "../../../platform/app.ts";
import { activityUri, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Facts } from "../facts.ts";
import { NOTHING, run } from "../decision.ts";
import type { Parse, Parsed } from "../decision.ts";

type Pair = { accountId: string; targetId: string };

/** Follow and Block of a local account. */
const startsRelation =
  (command: (app: App, pair: Pair & { uri: string }) => Promise<unknown>): Parse =>
  (incoming) => {
    const { actor, body } = incoming;
    const target = objectUri(body);
    if (!target) return null;
    const uri = activityUri(incoming);
    return {
      lookups: { accounts: [target], earlyDeletes: [uri] },
      judge(facts) {
        const account = facts.localAccount(target);
        if (!account || facts.wasDeletedEarly(actor.uri, uri)) return NOTHING;
        return run((app) => command(app, { accountId: actor.id, targetId: account.id, uri }));
      },
    };
  };

export const parseFollow: Parse = startsRelation(follow);
export const parseBlock: Parse = startsRelation(block);

/** The local account that follows the actor, where the Follow is embedded. */
const namedFollower = ({ actor, body }: Incoming): string | null => {
  const { object } = body;
  if (!isRecord(object) || !typesOf(object).includes("Follow")) return null;
  return idOf(object["object"]) === actor.uri ? httpUrl(idOf(object["actor"])) : null;
};

/** Accept and Reject of a local account's Follow, which is named by its id or embedded. */
const answerFollow =
  (command: (app: App, pair: Pair) => Promise<unknown>) =>
  (incoming: Incoming): Parsed => {
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

export const parseAccept = answerFollow(acceptFollow);
export const parseReject = answerFollow(rejectFollow);
