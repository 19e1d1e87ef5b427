// Move: an actor is from now on another one, which has to name it.

import type { App } from "../../../platform/app.ts";
import { isRefusal } from "../../../platform/errors.ts";
import { httpUrl, idOf } from "../../../platform/json/read.ts";
import { moveAccount } from "../../../domain/people/accounts/move.ts";
import { objectUri } from "../activity.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse } from "../decision.ts";

/** A target that does not name the actor, or a Move within the cool-down, has no effect. */
const move = async (app: App, pair: { accountId: string; targetId: string }): Promise<void> => {
  try {
    await moveAccount(app, pair);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
};

/** The target is read again: its aliases may be new. Nothing is asked where nobody here has to do with the actor. */
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
      return run((app) => move(app, { accountId: actor.id, targetId: target.id }));
    },
  };
};
