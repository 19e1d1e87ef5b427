// Sends posts that were written while the server could not be reached: once it can be, and when a window is opened
// again.

import type { App } from "../app.ts";
import { say } from "../window/messages.ts";
import { listWaiting } from "./browser-drafts.ts";
import { sendDraft } from "./send.ts";
import { openSession } from "./session.ts";

/**
 * Sends one after another, in their order. Two windows use the same key, so that a post is made once. One that is
 * refused becomes a draft, which nobody sees at once.
 */
export const sendWaiting = async (app: App): Promise<void> => {
  for (const { purpose } of listWaiting(localStorage, app.me!.id)) {
    const session = await openSession(app, { purpose });
    if (!session.draft.peek().isWaiting || session.isSending.peek()) continue;
    await sendDraft(session);
    const trouble = session.trouble.peek();
    if (trouble) say(app.t("compose.waiting_refused", { reason: trouble.text }));
  }
};
