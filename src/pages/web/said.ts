// Keeps what a form without scripts did, until the next page of the session says it; and where a refused form was.

import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";

const KEPT_SECONDS = 60;
/** Characters; more than any message has. */
const MAX_LENGTH = 500;

const keyOf = (sessionId: string): string => `said:${sessionId}`;

export const keepSaid = (app: App, sessionId: string, text: string): Promise<unknown> =>
  app.kv.set(keyOf(sessionId), text.slice(0, MAX_LENGTH), KEPT_SECONDS);

/** Returns it; null where there is nothing to say. */
export const keptSaid = (app: App, sessionId: string): Promise<string | null> =>
  app.kv.get(keyOf(sessionId));

/** Forgets it, once a page says it. */
export const dropSaid = (app: App, sessionId: string): Promise<unknown> =>
  app.kv.delete(keyOf(sessionId));

const REFUSED_SECONDS = 3600;

const formKeyOf = (sessionId: string, address: string): string =>
  `refused:${sessionId}:${createHash("sha256").update(address).digest("base64url")}`;

/** Keeps the page of a refused form, by the form's address, which the browser shows then. */
export const keepFormerPage = (app: App, sessionId: string, address: string, page: string) =>
  app.kv.set(formKeyOf(sessionId, address), page, REFUSED_SECONDS);

/** Returns the page of the form; null where none was refused lately. */
export const formerPage = (app: App, sessionId: string, address: string): Promise<string | null> =>
  app.kv.get(formKeyOf(sessionId, address));
