// Telling a person's clients and open streams that their filters are others.

import type { App } from "../../platform/app.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { relationsChannel } from "../relationships/changed.ts";

/** Call it after the commit. Open streams read the filters anew; clients do by the event. */
export const filtersChanged = async (app: App, accountId: string): Promise<void> => {
  await app.pubsub.publish(relationsChannel(accountId), { at: isoTime(app.clock.now()) });
  // The channel of timelines/streams.ts, which ranks above; the event has no payload.
  await app.pubsub.publish(`user:${accountId}`, { event: "filters_changed" });
};
