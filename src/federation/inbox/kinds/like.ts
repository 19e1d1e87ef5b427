// Like of a local post. The likes of other posts are counted by their own servers.

import { activityUri, objectUri } from "../activity.ts";
import { NOTHING, apply } from "../decision.ts";
import type { Parse } from "../decision.ts";

export const parseLike: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const target = objectUri(body);
  if (!target || !isLocalUri(target)) return null;
  const uri = activityUri(incoming);
  return {
    wanted: {
      statuses: [target],
      earlyDeletes: [uri],
      interactions: [{ actorId: actor.id, statusUri: target }],
    },
    judge(facts) {
      const status = facts.status(target);
      if (!status?.local || status.reblog_of_id !== null) return NOTHING;
      if (facts.wasDeletedEarly(actor.uri, uri) || !facts.maySee(actor.id, status)) return NOTHING;
      const favourite = { accountId: actor.id, statusId: status.id, uri };
      return apply({ do: "favourite", favourite });
    },
  };
};
