// Muting a conversation: the person gets no more notifications of it, and its statuses are `muted`.

import type { App } from "../../platform/app.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { selectMutedConversations } from "./queries.ts";
import { deleteConversationMute, insertConversationMute } from "./queries-write.ts";
import type { StatusView } from "./tables.ts";

/** Most people have none: then it is one shared, empty set. */
const NONE: ReadonlySet<string> = new Set();

/** The conversations that a person muted. */
export const cachedMutedConversations = cachedReader<ReadonlySet<string>>(
  { name: "muted conversations", kind: "muted-conversations", size: sizeOf },
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
  invalidate(app.sql, `muted-conversations:${accountId}`);
};

export const unmuteThread = async (
  app: App,
  accountId: string,
  view: StatusView,
): Promise<void> => {
  await deleteConversationMute(app.sql, accountId, conversationOf(view));
  invalidate(app.sql, `muted-conversations:${accountId}`);
};
