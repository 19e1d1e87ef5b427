// Move: an actor continues as another one, which has to name the first as its alias.

import { isRefusal, nullOn } from "../../../platform/errors.ts";
import { httpUrl, idOf } from "../../../platform/json/read.ts";
import { moveAccount } from "../../../domain/people/accounts/move.ts";
import { objectUri } from "../activity.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse } from "../decision.ts";

/**
 * Parses a Move. The target is read again, since its aliases may be new; not if nobody here is connected with the
 * actor.
 */
export const parseMove: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const uri = httpUrl(idOf(body["target"]));
  if (!uri || uri === actor.uri || objectUri(body) !== actor.uri) return null;
  return {
    lookups: { accounts: [uri], concerning: [actor.id] },
    judge(facts) {
      if (!facts.concernsPeople(actor.id)) return NOTHING;
      if (!isLocalUri(uri) && !facts.wasFetched(uri)) {
        return fetchFirst({ uri, kind: "actor", refresh: true, ifUnreachable: "later" });
      }
      const target = facts.actor(uri);
      if (!target || target.suspended) return NOTHING;
      const pair = { accountId: actor.id, targetId: target.id };
      // A target that does not name the actor, or a Move within the cool-down, has no effect.
      return run((app) => nullOn(isRefusal, moveAccount(app, pair)));
    },
  };
};
