// Muting a conversation: the person gets no more notifications of it, and its statuses are `muted`.

import type { App } from "../../platform/app.ts";
import { invalidate } from "../../platform/db/invalidate.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { KnownViewer } from "../../platform/viewer.ts";
import { deleteConversationMute, insertConversationMute } from "./queries-write.ts";
import type { SeenStatus, StatusView } from "./tables.ts";
import { actTarget, afterAct, undoAct } from "./target.ts";

const conversationOf = (view: StatusView): string => {
  if (view.conversation_id === null) {
    throw new Unprocessable("Validation failed: This post is not part of a conversation");
  }
  return view.conversation_id;
};

export const muteThread = async (
  app: App,
  viewer: KnownViewer,
  id: string,
): Promise<SeenStatus> => {
  const view = await actTarget(app, viewer, id);
  await insertConversationMute(app.sql, viewer.id, conversationOf(view));
  invalidate(app.sql, `muted-conversations:${viewer.id}`);
  return afterAct(app, viewer, view);
};

export const unmuteThread = (app: App, viewer: KnownViewer, id: string): Promise<SeenStatus> =>
  undoAct(app, viewer, id, async ({ conversation_id: conversationId }) => {
    if (conversationId === null) return false;
    const wasMuted = await deleteConversationMute(app.sql, viewer.id, conversationId);
    if (wasMuted) invalidate(app.sql, `muted-conversations:${viewer.id}`);
    return wasMuted;
  });
