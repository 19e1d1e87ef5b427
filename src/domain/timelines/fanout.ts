// New statuses into the home feeds of their authors, of the followers here and of those who follow
// their tags, into lists, and onto the streams of all of them.

import type { App } from "../../platform/app.ts";
import type { ListRef } from "../lists/tables.ts";
import { listKey } from "../relationships/changed.ts";
import type { RemovedStatus } from "../statuses/events.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openToFollowers } from "../statuses/visibility.ts";
import type { Reader } from "./cached-readers.ts";
import { selectListReaders, selectListsOfAuthors } from "./queries-readers.ts";
import type { ListedStatus } from "./queries-readers.ts";
import { listedOf, loadPossibleReaders, loadReaders } from "./readers.ts";
import {
  publishDelete,
  publishStatus,
  publishToLists,
  publishToReaders,
  statusEvent,
} from "./streams.ts";
import type { StreamEvent } from "./streams.ts";

const listedStatus = (view: StatusView): ListedStatus => ({
  id: view.id,
  authorId: view.account_id,
  isReblog: view.reblog_of_id !== null,
  language: view.language,
  replyToId: view.in_reply_to_account_id,
});

/** The lists that each status goes into; direct ones go into none. */
const listsFor = async (app: App, views: StatusView[]): Promise<Map<string, ListRef[]>> => {
  const listed = await listedOf(app, views);
  const open = listed.filter(openToFollowers);
  return selectListReaders(app.sql, open.map(listedStatus));
};

/** Into the feeds; those of `all` whose feed does not leave it out (a boost of what it has just shown). */
const pushTo = async <T>(
  app: App,
  all: T[],
  key: (one: T) => string,
  view: StatusView,
): Promise<T[]> => {
  const leftOut = new Set(await app.feeds.push(all.map(key), view.id, view.reblog_of_id));
  return leftOut.size === 0 ? all : all.filter((one) => !leftOut.has(key(one)));
};

/** Feed first, then stream, so that who hears of it finds it. Idempotent for the feeds. */
const deliverHome = async (app: App, readers: Reader[], view: StatusView, event: StreamEvent) => {
  await publishToReaders(app, await pushTo(app, readers, ({ home }) => home, view), event);
};

const deliverToLists = async (
  app: App,
  lists: ListRef[],
  view: StatusView,
  event: StreamEvent,
): Promise<void> => {
  if (lists.length === 0) return;
  await publishToLists(app, await pushTo(app, lists, ({ id }) => listKey(id), view), event);
};

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

/** Into feeds and lists and onto all streams. What is asked for them is asked for all together. */
export const fanOut = async (app: App, views: StatusView[]): Promise<void> => {
  const [readersOf, lists] = await Promise.all([loadReaders(app, views), listsFor(app, views)]);
  for (const view of views) {
    const event = lazyEvent(app, view);
    await deliverHome(app, readersOf(view), view, event);
    await deliverToLists(app, lists.get(view.id) ?? [], view, event);
    await publishStatus(app, view, "update", event);
  }
};

/** Tells the same people of an edit; the feeds hold only ids and need nothing. */
export const fanOutEdit = async (app: App, view: StatusView): Promise<void> => {
  const event = statusEvent(app, view, "status.update");
  const [readersOf, lists] = await Promise.all([loadReaders(app, [view]), listsFor(app, [view])]);
  await publishToReaders(app, readersOf(view), event);
  await publishToLists(app, lists.get(view.id) ?? [], event);
};

/** Takes a deleted status out of every list that may have it, and tells. */
const withdrawFromLists = async (app: App, lists: ListRef[], id: string): Promise<void> => {
  if (lists.length === 0) return;
  await app.feeds.remove(
    lists.map((list) => listKey(list.id)),
    [id],
  );
  await publishToLists(app, lists, { event: "delete", payload: id });
};

/** Takes deleted statuses out of every feed that may have them, and tells all streams. */
export const withdraw = async (app: App, removed: RemovedStatus[]): Promise<void> => {
  if (removed.length === 0) return;
  const [readersOf, lists] = await Promise.all([
    loadPossibleReaders(app, removed),
    selectListsOfAuthors(app.sql, [...new Set(removed.map((one) => one.accountId))]),
  ]);
  for (const one of removed) {
    const readers = readersOf(one);
    await app.feeds.remove(
      readers.map(({ home }) => home),
      [one.id],
    );
    await publishToReaders(app, readers, { event: "delete", payload: one.id });
    await withdrawFromLists(app, lists.get(one.accountId) ?? [], one.id);
    await publishDelete(app, one);
  }
};
