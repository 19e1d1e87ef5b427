// Muting a conversation: the person gets no more notifications of it, and its statuses are `muted`.

import type { App } from "../../platform/app.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { deleteConversationMute, insertConversationMute } from "./queries-write.ts";
import type { StatusView } from "./tables.ts";

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
