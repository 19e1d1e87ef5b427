// Follow, Accept, Reject and Block between an actor elsewhere and a person here.

import { httpUrl, idOf, isRecord, typesOf } from "../../../platform/json/read.ts";
import { acceptFollow } from "../../../domain/relationships/accept-follow.ts";
import { block } from "../../../domain/relationships/block.ts";
import { follow } from "../../../domain/relationships/follow.ts";
import { rejectFollow } from "../../../domain/relationships/reject-follow.ts";
import type { App } from "../../../platform/app.ts";
import { activityUri, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Facts } from "../facts.ts";
import { NOTHING, run } from "../verdict.ts";
import type { Parse, Parsed } from "../verdict.ts";

type Pair = { accountId: string; targetId: string };

/** Follow and Block: what the actor begins with a person here. */
const begins =
  (command: (app: App, pair: Pair & { uri: string }) => Promise<unknown>): Parse =>
  (incoming) => {
    const { actor, body } = incoming;
    const target = objectUri(body);
    if (!target) return null;
    const uri = activityUri(incoming);
    return {
      wanted: { people: [target], takenBack: [uri] },
      judge(facts) {
        const person = facts.localPerson(target);
        if (!person || facts.wasTakenBack(actor.uri, uri)) return NOTHING;
        return run((app) => command(app, { accountId: actor.id, targetId: person.id, uri }));
      },
    };
  };

export const parseFollow: Parse = begins(follow);
export const parseBlock: Parse = begins(block);

/** The person here who is said to follow the actor, where the Follow is given whole. */
const namedFollower = ({ actor, body }: Incoming): string | null => {
  const { object } = body;
  if (!isRecord(object) || !typesOf(object).includes("Follow")) return null;
  return idOf(object["object"]) === actor.uri ? httpUrl(idOf(object["actor"])) : null;
};

/** Accept and Reject: of a person's Follow of the actor, by its id or by what it says. */
const answers =
  (command: (app: App, pair: Pair) => Promise<unknown>) =>
  (incoming: Incoming): Parsed => {
    const { actor, body } = incoming;
    const uri = idOf(body["object"]);
    const named = namedFollower(incoming);
    const followerOf = (facts: Facts): string | undefined =>
      (uri === null ? undefined : facts.followerBy(actor.id, uri)) ?? facts.localPerson(named)?.id;
    return {
      wanted: { acts: uri === null ? [] : [uri], people: named === null ? [] : [named] },
      judge(facts) {
        const accountId = followerOf(facts);
        if (accountId === undefined) return NOTHING;
        return run((app) => command(app, { accountId, targetId: actor.id }));
      },
    };
  };

export const parseAccept = answers(acceptFollow);
export const parseReject = answers(rejectFollow);
