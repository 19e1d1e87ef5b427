// What each kind of activity does: a table from its type to a handler of a few lines. Handlers find
// the rows that are meant, check that the actor may, and call the same commands as a local act.

import type { App } from "../platform/app.ts";
import { typesOf } from "../platform/json/read.ts";
import { updateObject, deleteObject, createObject, fetchForwarded } from "./inbox/objects.ts";
import { blockOne, acceptOne, followOne, rejectOne } from "./inbox/follows.ts";
import { announceOne, likeOne } from "./inbox/interactions.ts";
import { addOne, removeOne } from "./inbox/collections.ts";
import { selectActor } from "./inbox/queries.ts";
import { answersQuote, quoteAccepted, quoteRejected, quoteRequestOne } from "./inbox/quotes.ts";
import type { Activity } from "./inbox/receive.ts";
import type { Handler } from "./inbox/handler.ts";
import { flagOne } from "./inbox/reports.ts";
import { undoOne } from "./inbox/undo.ts";

/** Moves of accounts come with moderation. */
const notYet: Handler = async (app, { body }) => {
  app.log.debug({ type: typesOf(body)[0] }, "activity of a kind that is not handled");
};

const HANDLERS: Record<string, Handler> = {
  Accept: (app, incoming) =>
    answersQuote(incoming) ? quoteAccepted(app, incoming) : acceptOne(app, incoming),
  Add: addOne,
  Announce: announceOne,
  Block: blockOne,
  Create: createObject,
  Delete: deleteObject,
  Flag: flagOne,
  Follow: followOne,
  Forwarded: fetchForwarded,
  Like: likeOne,
  Move: notYet,
  QuoteRequest: quoteRequestOne,
  Reject: (app, incoming) =>
    answersQuote(incoming) ? quoteRejected(app, incoming) : rejectOne(app, incoming),
  Remove: removeOne,
  Undo: undoOne,
  Update: updateObject,
};

/** Does what the activity says, if it is of a known kind by an actor who is known and not suspended. */
export const perform = async (app: App, { actorUri, body }: Activity): Promise<void> => {
  const type = typesOf(body).find((name) => Object.hasOwn(HANDLERS, name));
  const actor = type && (await selectActor(app.sql, actorUri));
  if (!actor || actor.suspended || actor.domain === null) return;
  await HANDLERS[type]!(app, { actor, body });
};
