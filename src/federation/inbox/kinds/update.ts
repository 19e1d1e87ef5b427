// Update of a note or of the actor, and activities that another actor forwarded: of these only what the
// origin says is believed.

import { httpUrl, idOf, isRecord, sameHost } from "../../../platform/json/read.ts";
import { isNoteType, parseNote } from "../../../domain/statuses/parse-note.ts";
import { updateActor } from "../../actors.ts";
import { updateNote } from "../../store-note.ts";
import { noteContext } from "../activity.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse } from "../decision.ts";

/** Changes a status of the actor; an unknown one, or another author's, is ignored. */
const parseNoteUpdate: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const note = isRecord(body["object"]) ? parseNote(body["object"], noteContext(incoming)) : null;
  if (!note || isLocalUri(note.uri)) return null;
  return {
    wanted: { statuses: [note.uri] },
    judge(facts) {
      const status = facts.status(note.uri);
      // A reblog is stored under the id of its Announce.
      if (status?.account_id !== actor.id || status.reblog_of_id !== null) return NOTHING;
      return run((app) => updateNote(app, actor, status.id, note));
    },
  };
};

export const parseUpdate: Parse = (incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  if (idOf(object) !== actor.uri) {
    return isNoteType(object) && !actor.suspended ? parseNoteUpdate(incoming) : null;
  }
  const { uri } = actor;
  // Signed by the actor about itself: newer than what its server, or a cache before it, would answer now.
  if (isRecord(object) && object["type"] !== undefined) {
    return { wanted: {}, judge: () => run((app) => updateActor(app, uri, object)) };
  }
  return {
    wanted: {},
    judge: (facts) =>
      facts.wasFetched(uri)
        ? NOTHING
        : fetchFirst({ uri, kind: "actor", refresh: true, ifUnreachable: "later" }),
  };
};

/** Written by receive.ts: an activity about this object of the actor was forwarded. */
export const parseForwarded: Parse = ({ actor, body, isLocalUri }) => {
  const uri = httpUrl(body["object"]);
  if (!uri || isLocalUri(uri) || !sameHost(uri, actor.uri)) return null;
  return {
    wanted: { statuses: [uri], earlyDeletes: [uri] },
    judge(facts) {
      const status = facts.status(uri);
      const isOther =
        status !== undefined && (status.account_id !== actor.id || status.reblog_of_id !== null);
      if (isOther || facts.wasFetched(uri) || facts.wasDeletedEarly(actor.uri, uri)) return NOTHING;
      return fetchFirst({
        uri,
        kind: "note",
        refresh: status !== undefined,
        ifUnreachable: "later",
      });
    },
  };
};
