// Tracks work that continues after a request was answered: a second request for the same thing joins it, and clients
// can ask for its progress. https://docs.joinmastodon.org/methods/async_refreshes/

import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { App } from "../../../platform/app.ts";

export type Refresh = {
  id: string;
  status: "running" | "finished";
  /** Number of new results so far; null where nobody counts them. */
  resultCount: number | null;
};

/** A refresh expires after an hour, since a job that died reports nothing. */
const RUNNING_SECONDS = 3600;
const FINISHED_SECONDS = 600;
/** Seconds that a client waits before it asks again. */
const RETRY_SECONDS = 5;

const idKey = (id: string): string => `refresh:${id}`;
/** `subject` names the thing that is refreshed: `annual:ACCOUNT:YEAR`, `context:STATUS`. */
const subjectKey = (subject: string): string => `refresh-of:${subject}`;

const write = (app: App, refresh: Refresh): Promise<void> =>
  app.kv.set(
    idKey(refresh.id),
    JSON.stringify(refresh),
    refresh.status === "running" ? RUNNING_SECONDS : FINISHED_SECONDS,
  );

/** Returns the refresh with this id; null where there is none, or no longer. */
export const findRefresh = async (app: App, id: string): Promise<Refresh | null> => {
  const stored = await app.kv.get(idKey(id));
  return stored === null ? null : (JSON.parse(stored) as Refresh);
};

/** Returns the running refresh of the subject, or null. */
export const runningRefresh = async (app: App, subject: string): Promise<Refresh | null> => {
  const id = await app.kv.get(subjectKey(subject));
  const refresh = id === null ? null : await findRefresh(app, id);
  return refresh?.status === "running" ? refresh : null;
};

/**
 * Starts a refresh or joins the running one. `isNew` says that it was started, so that the caller must do the work.
 * With `counting`, results are counted from 0.
 */
export const beginRefresh = async (
  app: App,
  subject: string,
  counting = false,
): Promise<{ refresh: Refresh; isNew: boolean }> => {
  const running = await runningRefresh(app, subject);
  if (running) return { refresh: running, isNew: false };
  const id = randomBytes(18).toString("base64url");
  const refresh: Refresh = { id, status: "running", resultCount: counting ? 0 : null };
  await write(app, refresh);
  await app.kv.delete(subjectKey(subject));
  if (await app.kv.add(subjectKey(subject), id, RUNNING_SECONDS)) return { refresh, isNew: true };
  return { refresh: (await runningRefresh(app, subject)) ?? refresh, isNew: false };
};

/** Sets the number of results so far. */
export const countRefresh = async (app: App, subject: string, count: number): Promise<void> => {
  const running = await runningRefresh(app, subject);
  if (running) await write(app, { ...running, resultCount: count });
};

/** Marks the work as done or given up, so that clients stop waiting. */
export const finishRefresh = async (app: App, subject: string): Promise<void> => {
  const running = await runningRefresh(app, subject);
  if (running) await write(app, { ...running, status: "finished" });
  await app.kv.delete(subjectKey(subject));
};

/** Sets the header of the answer that names the refresh. */
export const sendRefreshHeader = (
  reply: FastifyReply,
  { id, resultCount }: Refresh,
): FastifyReply => {
  const count = resultCount === null ? "" : `, result_count=${resultCount}`;
  return reply.header("mastodon-async-refresh", `id="${id}", retry=${RETRY_SECONDS}${count}`);
};
