// Update of a note, a collection of accounts or the actor, and activities that another actor forwarded, for which only
// what the origin says is believed.

import { httpUrl, idOf, isRecord, sameHost } from "../../../platform/json/read.ts";
import { isNoteType, parseNote } from "../../../domain/posts/statuses/parse-note.ts";
import { openTo } from "../../../domain/posts/statuses/visibility.ts";
import { updateActor } from "../../actors.ts";
import { updateNote } from "../../store-note.ts";
import { noteContext, withAuthor } from "../activity.ts";
import { NOTHING, fetchFirst, run } from "../decision.ts";
import type { Parse } from "../decision.ts";
import { parseCollectionUpdate } from "./features.ts";

/** Changes a status of the actor; an unknown one, or another author's, is ignored. */
const parseNoteUpdate: Parse = (incoming) => {
  const { actor, body, isLocalUri } = incoming;
  const { object } = body;
  const note = isRecord(object)
    ? parseNote(withAuthor(incoming, object), noteContext(incoming))
    : null;
  if (!note || isLocalUri(note.uri)) return null;
  return {
    lookups: { statuses: [note.uri] },
    judge(facts) {
      const status = facts.status(note.uri);
      // A reblog is stored under the id of its Announce.
      if (status?.account_id !== actor.id || status.reblog_of_id !== null) return NOTHING;
      const forward = { body, actorUri: actor.uri, statusId: status.id };
      const isOpen = openTo("elsewhere", status);
      return run(
        (app) => updateNote(app, actor, status.id, note, { isUpdate: true }),
        ...(isOpen ? [{ do: "forward", forward } as const] : []),
      );
    },
  };
};

export const parseUpdate: Parse = (incoming) => {
  const { actor, body } = incoming;
  const { object } = body;
  if (idOf(object) !== actor.uri) {
    if (actor.suspended) return null;
    return isNoteType(object) ? parseNoteUpdate(incoming) : parseCollectionUpdate(incoming);
  }
  const { uri } = actor;
  // The actor signed this about itself, so it is newer than what its server, or a cache before it, would answer now.
  if (isRecord(object) && object["type"] !== undefined) {
    return { lookups: {}, judge: () => run((app) => updateActor(app, uri, object)) };
  }
  return {
    lookups: {},
    judge: (facts) =>
      facts.wasFetched(uri)
        ? NOTHING
        : fetchFirst({ uri, kind: "actor", refresh: true, ifUnreachable: "later" }),
  };
};

/** Parses what forwarded.ts wrote: another actor's activity about this object was forwarded by this one. */
export const parseForwarded: Parse = ({ body, isLocalUri }) => {
  const [uri, author] = [httpUrl(body["object"]), httpUrl(body["author"])];
  if (!uri || !author || isLocalUri(uri) || !sameHost(uri, author)) return null;
  const isRemoval = body["isRemoval"] === true;
  return {
    lookups: { statuses: [uri], earlyDeletes: [uri], accounts: [author] },
    judge(facts) {
      const status = facts.status(uri);
      if (facts.wasFetched(uri) || facts.wasDeletedEarly(author, uri)) return NOTHING;
      if (!status) {
        return isRemoval ? NOTHING : fetchFirst({ uri, kind: "note", ifUnreachable: "later" });
      }
      const isOther = status.account_id !== facts.actor(author)?.id || status.reblog_of_id !== null;
      // We cannot read what not everybody may see, so a missing answer proves nothing.
      if (isOther || (isRemoval && !openTo("elsewhere", status))) return NOTHING;
      const again = { refresh: true, removeIfGone: isRemoval, ifUnreachable: "later" } as const;
      return fetchFirst({ uri, kind: "note", ...again });
    },
  };
};
