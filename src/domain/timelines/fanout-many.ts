// Many statuses of elsewhere into and out of the home feeds and streams: what fanout.ts does for one,
// with one query for all of them.

import type { App } from "../../platform/app.ts";
import type { RemovedStatus } from "../statuses/events.ts";
import type { StatusView } from "../statuses/tables.ts";
import { fanOut } from "./fanout.ts";
import { homeKey } from "./home.ts";
import { selectManyHomeReaders, selectManyLocalFollowers } from "./queries-many.ts";
import { publishDelete, publishStatus, publishToUsers, statusEvent } from "./streams.ts";
import type { StreamEvent } from "./streams.ts";

/** The entity is made when somebody listens, and once for all who do. */
const lazyEvent = (app: App, view: StatusView): StreamEvent => {
  let made: StreamEvent | null = null;
  const event = () => (made ??= statusEvent(app, view, "update"));
  return {
    event: "update",
    get payload() {
      return event().payload;
    },
    get facts() {
      return event().facts!;
    },
  };
};

const readersOf = async (app: App, views: StatusView[]): Promise<Map<string, string[]>> => {
  if (views.length === 0) return new Map();
  const wanted = views.map((view) => ({
    id: view.id,
    authorId: view.account_id,
    isReblog: view.reblog_of_id !== null,
    language: view.language,
    replyToId: view.in_reply_to_account_id,
  }));
  const rows = await selectManyHomeReaders(app.sql, wanted);
  return new Map(rows.map(({ id, ids }) => [id, ids.split(",")]));
};

/** Feed first, then stream, so that who hears of it finds it. Idempotent for the feeds. */
export const fanOutMany = async (app: App, views: StatusView[]): Promise<void> => {
  const open = views.filter((view) => view.visibility !== "direct");
  const readers = await readersOf(app, open);
  for (const view of views) {
    const event = lazyEvent(app, view);
    const ids = readers.get(view.id) ?? [];
    if (view.visibility === "direct") await fanOut(app, view, event);
    await app.feeds.push(ids.map(homeKey), view.id);
    await publishToUsers(app, ids, event);
    await publishStatus(app, view, "update", event);
  }
};

/** Takes deleted statuses out of every home that may have them, and tells. */
export const withdrawMany = async (app: App, removed: RemovedStatus[]): Promise<void> => {
  if (removed.length === 0) return;
  const authorIds = [...new Set(removed.map((one) => one.accountId))];
  const rows = await selectManyLocalFollowers(app.sql, authorIds);
  const followers = new Map(rows.map(({ id, ids }) => [id, ids.split(",")]));
  for (const one of removed) {
    const { accountId, mentionIds } = one;
    const accountIds = [accountId, ...mentionIds, ...(followers.get(accountId) ?? [])];
    await app.feeds.remove(accountIds.map(homeKey), [one.id]);
    await publishToUsers(app, accountIds, { event: "delete", payload: one.id });
    await publishDelete(app, one);
  }
};
