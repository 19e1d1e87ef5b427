// A preview card that was fetched is streamed to those who received the status without it.

import type { App } from "../platform/app.ts";
import { idAt } from "../platform/ids/index.ts";
import type { CardRef } from "../domain/posts/cards/events.ts";
import { statusesWithCard } from "../domain/posts/cards/plan.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { fanOutEdit } from "../domain/reading/timelines/fanout.ts";
import { publishStatus } from "../domain/reading/timelines/streams.ts";

/** Milliseconds; readers of older statuses get the card when they load these again. */
const RECENT_MS = 10 * 60_000;
const MAX_STREAMED = 20;

/** Streams the card as an update of the status, which is the only event for such a change. */
export const onCardChanged = async (app: App, { hash }: CardRef): Promise<void> => {
  const since = idAt(new Date(app.clock.now().getTime() - RECENT_MS));
  const ids = await statusesWithCard(app.sql, hash, since, MAX_STREAMED);
  for (const view of await loadAsServer(app, ids)) {
    await fanOutEdit(app, view);
    await publishStatus(app, view, "status.update");
  }
};
