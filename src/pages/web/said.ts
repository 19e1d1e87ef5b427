// Keeps what a form without scripts did, until the next page of the session says it.

import type { App } from "../../platform/app.ts";

const KEPT_SECONDS = 60;
/** Characters; more than any message has. */
const MAX_LENGTH = 500;

const keyOf = (sessionId: string): string => `said:${sessionId}`;

export const keepSaid = (app: App, sessionId: string, text: string): Promise<unknown> =>
  app.kv.set(keyOf(sessionId), text.slice(0, MAX_LENGTH), KEPT_SECONDS);

/** Returns it once; undefined where there is nothing to say. */
export const takeSaid = async (app: App, sessionId: string): Promise<string | undefined> => {
  const text = await app.kv.get(keyOf(sessionId));
  if (text === null) return undefined;
  await app.kv.delete(keyOf(sessionId));
  return text;
};
