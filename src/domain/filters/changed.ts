// Notifying clients and open streams of a person that their filters changed.

import type { App } from "../../platform/app.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { relationsChannel } from "../relationships/changed.ts";

/** Call it after the commit. Both read the filters again. */
export const filtersChanged = async (app: App, accountId: string): Promise<void> => {
  await app.pubsub.publish(relationsChannel(accountId), { at: isoTime(app.clock.now()) });
  // The channel of timelines/streams.ts, a higher slice; the event has no payload.
  await app.pubsub.publish(`user:${accountId}`, { event: "filters_changed" });
};
