// Update of a note or of the actor, and what somebody else passed on: there only the origin is
// believed, which is asked.

import { httpUrl, idOf, isRecord, sameHost } from "../../../platform/json/read.ts";
import { isNoteType, parseNote } from "../../../domain/statuses/parse-note.ts";
import { changeNote } from "../../store-note.ts";
import { noteContext } from "../activity.ts";
import { NOTHING, fetchFirst, run } from "../verdict.ts";
import type { Parse } from "../verdict.ts";

/** Its own status, changed; one that is not known here, or somebody else's, is left alone. */
const parseNoteUpdate: Parse = (incoming) => {
  const { actor, body, isOurs } = incoming;
  const note = isRecord(body["object"]) ? parseNote(body["object"], noteContext(incoming)) : null;
  if (!note || isOurs(note.uri)) return null;
  return {
    wanted: { statuses: [note.uri] },
    judge(facts) {
      const status = facts.status(note.uri);
      if (status?.account_id !== actor.id) return NOTHING;
      return run((app) => changeNote(app, actor, status.id, note));
    },
  };
};

export const parseUpdate: Parse = (incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  if (idOf(object) !== actor.uri) return isNoteType(object) ? parseNoteUpdate(incoming) : null;
  const { uri } = actor;
  return {
    wanted: {},
    judge: (facts) =>
      facts.wasFetched(uri)
        ? NOTHING
        : fetchFirst({ uri, kind: "actor", anew: true, ifAway: "later" }),
  };
};

/** Written by receive.ts: somebody passed on an activity about this object of the actor's. */
export const parseForwarded: Parse = ({ actor, body, isOurs }) => {
  const uri = httpUrl(body["object"]);
  if (!uri || isOurs(uri) || !sameHost(uri, actor.uri)) return null;
  return {
    wanted: { statuses: [uri], takenBack: [uri] },
    judge(facts) {
      const status = facts.status(uri);
      const isOthers = status !== undefined && status.account_id !== actor.id;
      if (isOthers || facts.wasFetched(uri) || facts.wasTakenBack(actor.uri, uri)) return NOTHING;
      return fetchFirst({ uri, kind: "note", anew: status !== undefined, ifAway: "later" });
    },
  };
};
