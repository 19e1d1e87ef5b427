// Sends posts that were written while the server could not be reached: once it can be, and when a window is opened
// again.

import type { App } from "../app.ts";
import { openDrafts } from "./browser-drafts.ts";
import { sendDraft } from "./send.ts";
import { openSession } from "./session.ts";

/** Sends one after another. Two windows use the same key, so that a post is made once. */
export const sendWaiting = async (app: App): Promise<void> => {
  for (const { purpose, isWaiting } of openDrafts(localStorage, app.me!.id).list()) {
    if (!isWaiting) continue;
    const session = await openSession(app, { purpose });
    if (session.draft.peek().isWaiting && !session.isSending.peek()) await sendDraft(session);
  }
};
