// Muting a conversation: nobody is told of what happens in it any more. Its statuses say so.

import type { App } from "../../platform/app.ts";
import { changed } from "../../platform/db/changes.ts";
import { keptReader } from "../../platform/db/kept-reader.ts";
import { Unprocessable } from "../../platform/errors.ts";
import {
  deleteConversationMute,
  insertConversationMute,
  selectMutedConversations,
} from "./queries-mute.ts";
import type { StatusView } from "./tables.ts";

/** Most people have none: then it is one shared, empty set. */
const NONE: ReadonlySet<string> = new Set();

/** The conversations that a person muted. */
export const keptMutedConversations = keptReader<ReadonlySet<string>>(
  "muted-conversations",
  20_000,
  async (db, accountId) => {
    const ids = await selectMutedConversations(db, accountId);
    return ids.length === 0 ? NONE : new Set(ids);
  },
);

const conversationOf = (view: StatusView): string => {
  if (view.conversation_id === null) {
    throw new Unprocessable("Validation failed: This post is not part of a conversation");
  }
  return view.conversation_id;
};

export const muteThread = async (app: App, accountId: string, view: StatusView): Promise<void> => {
  await insertConversationMute(app.sql, accountId, conversationOf(view));
  changed(app.sql, `muted-conversations:${accountId}`);
};

export const unmuteThread = async (
  app: App,
  accountId: string,
  view: StatusView,
): Promise<void> => {
  await deleteConversationMute(app.sql, accountId, conversationOf(view));
  changed(app.sql, `muted-conversations:${accountId}`);
};
