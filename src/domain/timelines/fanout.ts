// Fan-out of statuses: into the home feeds of local authors, their local followers and those who
// follow the tags, into list feeds, and onto the streams of all of them.

import type { App } from "../../platform/app.ts";
import type { ListRef } from "../lists/tables.ts";
import { listKey } from "../relationships/changed.ts";
import type { RemovedStatus } from "../statuses/events.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openToFollowers } from "../statuses/visibility.ts";
import type { Reader } from "./cached-readers.ts";
import { rebuildFeed } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { homeFeed } from "./home.ts";
import { listFeed } from "./list-feed.ts";
import { withListeners, publishToViewers } from "./own-streams.ts";
import { selectListReaders, selectListsOfAuthors } from "./queries-readers.ts";
import type { ListedStatus } from "./queries-readers.ts";
import { listedOf, loadPossibleReaders, loadReaders } from "./readers.ts";
import { listChannel, publishDeletes, publishStatuses, statusEvent } from "./streams.ts";
import type { OwnStream, StreamEvent } from "./streams.ts";

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

/** A feed that a status goes into, and the stream of the same. */
type Place = OwnStream & { feed: Feed };

const homePlace = (app: App, { id, channel }: Reader): Place => ({
  channel,
  viewerId: id,
  feed: homeFeed(app, id),
});

const listPlace = (app: App, list: ListRef): Place => ({
  channel: listChannel(list),
  viewerId: list.ownerId,
  feed: listFeed(app, list.id),
});

/** Older posts may be behind the end of a feed. */
const RECENT_MS = 24 * 3600_000;

/**
 * A feed may leave it out: a boost of what it has just shown, or what is older than all that it
 * has.
 */
const mayBeLeftOut = (app: App, view: StatusView): boolean =>
  view.reblog_of_id !== null || app.clock.now().getTime() - view.created_at.getTime() > RECENT_MS;

/** How many feeds are rebuilt at the same time. */
const MAX_REBUILDS = 4;

/**
 * Rebuilds the feeds that were not in memory when the status was pushed; returns the keys of those
 * that leave it out.
 */
const rebuildMissing = async (
  app: App,
  places: Place[],
  view: StatusView,
): Promise<Set<string>> => {
  const missing = new Set(await app.feeds.missing(places.map(({ feed }) => feed.key)));
  const feeds = places.map(({ feed }) => feed).filter(({ key }) => missing.has(key));
  const leftOut: string[] = [];
  for (let from = 0; from < feeds.length; from += MAX_REBUILDS) {
    const some = feeds.slice(from, from + MAX_REBUILDS);
    await Promise.all(some.map((feed) => rebuildFeed(app, feed)));
    const keys = some.map(({ key }) => key);
    const [left] = await app.feeds.push([{ keys, id: view.id, of: view.reblog_of_id }]);
    leftOut.push(...left!);
  }
  return new Set(leftOut);
};

/** A status, and whose feeds and lists it goes into. */
type Wanted = { view: StatusView; readers: Reader[]; lists: ListRef[] };

const loadWanted = async (app: App, views: StatusView[]): Promise<Wanted[]> => {
  const [readersOf, lists] = await Promise.all([loadReaders(app, views), listsFor(app, views)]);
  return views.map((view) => ({
    view,
    readers: readersOf(view),
    lists: lists.get(view.id) ?? [],
  }));
};

/** Into all their feeds at once; gives what is left where a feed leaves it out. */
const pushAll = async (app: App, wanted: Wanted[]): Promise<Wanted[]> => {
  const posts = wanted.map(({ view, readers, lists }) => ({
    keys: [...readers.map(({ home }) => home), ...lists.map((list) => listKey(list.id))],
    id: view.id,
    of: view.reblog_of_id,
  }));
  const leftOut = await app.feeds.push(posts);
  return wanted.map((one, n) => {
    const keys = new Set(leftOut[n]);
    if (keys.size === 0) return one;
    const readers = one.readers.filter(({ home }) => !keys.has(home));
    return { ...one, readers, lists: one.lists.filter((list) => !keys.has(listKey(list.id))) };
  });
};

/**
 * Pushes into the feeds, and returns for each status the streams with listeners, without those whose feed leaves
 * the status out: there it is not streamed either, whether or not the feed was in memory. Who listens is asked after it is
 * in the feeds: whoever began to listen later finds it there.
 */
const pushToFeeds = async (app: App, wanted: Wanted[]): Promise<OwnStream[][]> => {
  const pushed = await pushAll(app, wanted);
  const all = pushed.flatMap(({ readers, lists }) => [
    ...readers.map(({ channel }) => channel),
    ...lists.map(listChannel),
  ]);
  const listening = new Set(await app.pubsub.withListeners(all));
  const streams: OwnStream[][] = [];
  for (const { view, readers, lists } of pushed) {
    const places = [
      ...readers.filter(({ channel }) => listening.has(channel)).map((one) => homePlace(app, one)),
      ...lists.map((list) => listPlace(app, list)).filter(({ channel }) => listening.has(channel)),
    ];
    if (places.length === 0 || !mayBeLeftOut(app, view)) streams.push(places);
    else {
      const judged = await rebuildMissing(app, places, view);
      streams.push(places.filter(({ feed }) => !judged.has(feed.key)));
    }
  }
  return streams;
};

/** The entity is made when there is a listener, and once for all listeners. */
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
    get words() {
      return event().words!;
    },
  };
};

/**
 * Into feeds and lists, then onto all streams, so that a client that gets the event finds the
 * status. The queries are for all statuses together. Idempotent for the feeds.
 */
export const fanOut = async (app: App, views: StatusView[]): Promise<void> => {
  const streams = await pushToFeeds(app, await loadWanted(app, views));
  await publishToViewers(
    app,
    views.map((view, n) => ({ view, kind: "update", streams: streams[n]! })),
  );
  await publishStatuses(
    app,
    views.map((view) => ({ view, event: lazyEvent(app, view) })),
  );
};

/** Into the feeds in which they belong by their age, without streaming them. */
export const fillFeeds = async (app: App, views: StatusView[]): Promise<void> => {
  await pushAll(app, await loadWanted(app, views));
};

/** Streams an edit to the same people; the feeds hold only ids and need nothing. */
export const fanOutEdit = async (app: App, view: StatusView): Promise<void> => {
  if (view.awaits_approval) return;
  const [readersOf, lists] = await Promise.all([loadReaders(app, [view]), listsFor(app, [view])]);
  const listed = (lists.get(view.id) ?? []).map((list) => listPlace(app, list));
  const homes = await withListeners(app, readersOf(view));
  const streams = [
    ...homes.map((reader) => homePlace(app, reader)),
    ...(await withListeners(app, listed)),
  ];
  await publishToViewers(app, [{ view, kind: "status.update", streams }]);
};

/** The reblogs that were deleted with a status: those are what the boosters' followers had. */
const reblogsOf = (one: RemovedStatus): RemovedStatus[] =>
  (one.reblogs ?? []).map(({ id, accountId }) => ({
    ...one,
    id,
    accountId,
    reblogOfId: one.id,
    tags: [],
    mentionIds: [],
  }));

/** Removes deleted statuses from every feed that may have them, and publishes the deletes. */
export const withdraw = async (app: App, deleted: RemovedStatus[]): Promise<void> => {
  if (deleted.length === 0) return;
  const removed = deleted.flatMap((one) => [one, ...reblogsOf(one)]);
  const [readersOf, lists] = await Promise.all([
    loadPossibleReaders(app, removed),
    selectListsOfAuthors(app.sql, [...new Set(removed.map((one) => one.accountId))]),
  ]);
  const places = removed.map((one) => ({
    one,
    readers: readersOf(one),
    listed: lists.get(one.accountId) ?? [],
  }));
  const leftOut = await app.feeds.remove(
    places.map(({ one, readers, listed }) => ({
      keys: [...readers.map(({ home }) => home), ...listed.map(({ id }) => listKey(id))],
      id: one.id,
    })),
  );
  await publishDeletes(
    app,
    places.map(({ one, readers, listed }, n) => {
      // A boost that a feed left out was never streamed there.
      const without = new Set(leftOut[n]);
      const homes = readers.filter(({ home }) => !without.has(home));
      const lists = listed.filter(({ id }) => !without.has(listKey(id)));
      const channels = [...homes.map(({ channel }) => channel), ...lists.map(listChannel)];
      return { ...one, channels };
    }),
  );
};
