// Tells a person's open streams what the person did elsewhere, so that all windows and apps show the same. Events about
// posts and notifications of others are made in timelines/streams.ts, a higher slice.

import type { App } from "../../../platform/app.ts";

/** Returns the channel of a person's `user` stream. */
export const userChannel = (accountId: string): string => `user:${accountId}`;

/**
 * Publishes after a commit, and makes the payload only where somebody listens. Never throws: what is told is done
 * already, so a failure must not look like one of the act.
 */
export const tellOwn = async (
  app: App,
  accountId: string,
  event: string,
  payload?: () => string | Promise<string>,
): Promise<void> => {
  const channel = userChannel(accountId);
  try {
    if ((await app.pubsub.withListeners([channel])).length === 0) return;
    await app.pubsub.publish(channel, { event, ...(payload && { payload: await payload() }) });
  } catch (error) {
    app.log.warn({ err: error, event }, "a person's streams could not be told of an act");
  }
};
