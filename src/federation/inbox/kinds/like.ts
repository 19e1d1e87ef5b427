// Like, of what was written here alone: of other posts their own server keeps the count.

import { activityUri, objectUri } from "../activity.ts";
import { NOTHING, apply } from "../verdict.ts";
import type { Parse } from "../verdict.ts";

export const parseLike: Parse = (incoming) => {
  const { actor, body, isOurs } = incoming;
  const target = objectUri(body);
  if (!target || !isOurs(target)) return null;
  const uri = activityUri(incoming);
  return {
    wanted: {
      statuses: [target],
      takenBack: [uri],
      meetings: [{ actorId: actor.id, statusUri: target }],
    },
    judge(facts) {
      const status = facts.status(target);
      if (!status?.local || status.reblog_of_id !== null) return NOTHING;
      if (facts.wasTakenBack(actor.uri, uri) || !facts.maySee(actor.id, status)) return NOTHING;
      const favour = { accountId: actor.id, statusId: status.id, uri };
      return apply({ do: "favourite", favour });
    },
  };
};
