// When the replies to a remote post are read from its server: when somebody here opens its thread.

import type { App } from "../../platform/app.ts";
import { beginRefresh, runningRefresh } from "../refreshes/refreshes.ts";
import type { Refresh } from "../refreshes/refreshes.ts";
import "./events.ts";
import type { StatusView } from "./tables.ts";
import { openToEverybody } from "./visibility.ts";

/** Again after this. */
const AGAIN_SECONDS = 15 * 60;

export const threadSubject = (id: string): string => `context:${id}`;

/** The refresh that runs; null where there is nothing to wait for. */
export const wantReplies = async (app: App, view: StatusView): Promise<Refresh | null> => {
  const { id, local, reblog_of_id } = view;
  if (local || reblog_of_id || !openToEverybody(view)) return null;
  if (!(await app.kv.add(`thread-wanted:${id}`, "1", AGAIN_SECONDS))) {
    return runningRefresh(app, threadSubject(id));
  }
  const { refresh } = await beginRefresh(app, threadSubject(id), true);
  await app.jobs.add(app.sql, "thread.wanted", { statusId: id }, { key: `thread:${id}` });
  return refresh;
};
