// Puts statuses into the home feeds of local authors, their local followers and followers of the tags, into list feeds,
// and onto the streams of all of them.

import type { App } from "../../../platform/app.ts";
import { newestPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { ListRef } from "../../people/lists/tables.ts";
import { homeKey, listKey } from "../../people/relationships/changed.ts";
import type { RemovedStatus } from "../../posts/statuses/removed.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import { isCircle, openToFollowers } from "../../posts/statuses/visibility.ts";
import type { Reader } from "./cached-readers.ts";
import { feedPage } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { homeFeed } from "./home.ts";
import { listFeed } from "./list-feed.ts";
import {
  withListeners,
  publishToViewers,
  listChannel,
  publishDeletes,
  publishStatuses,
  publishTo,
  statusEvent,
} from "./streams.ts";
import { selectExisting, selectListReaders, selectListsOfAuthors } from "./queries-readers.ts";
import {
  eachPartOfPossibleReaders,
  eachPartOfReaders,
  listedOf,
  loadPossibleReaders,
  loadReaders,
} from "./readers.ts";
import type { OwnStream, StreamEvent } from "./streams.ts";

/** Returns the lists that each status goes into. */
const listsFor = async (app: App, views: StatusView[]): Promise<Map<string, ListRef[]>> => {
  const listed = await listedOf(app, views);
  return selectListReaders(
    app.sql,
    listed.map(({ id }) => id),
  );
};

/** A feed that a status goes into, and the stream with the same content. */
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

/** Milliseconds of age from which posts may be behind the end of a feed. */
const RECENT_MS = 24 * 3600_000;

/**
 * Returns whether a feed may leave a status out: a boost of what it has just shown, or a post older than all that it
 * has.
 */
const mayBeLeftOut = (app: App, view: StatusView): boolean =>
  view.reblog_of_id !== null || app.clock.now().getTime() - view.created_at.getTime() > RECENT_MS;

/** Feeds that are read, or rebuilt, at the same time. */
const MAX_READ = 8;
/** Milliseconds that an event waits for a missing feed. */
const TIMEOUT_MS = 10_000;

/** Returns the items for which the promise is true. */
const filterAsync = async <T>(all: T[], isWanted: (item: T) => Promise<boolean>): Promise<T[]> => {
  const kept: T[] = [];
  for (let from = 0; from < all.length; from += MAX_READ) {
    const some = all.slice(from, from + MAX_READ);
    const answers = await Promise.all(some.map(isWanted));
    kept.push(...some.filter((_, n) => answers[n]));
  }
  return kept;
};

/** Returns the page of a feed that contains the status and nothing else, where the feed shows it. */
const pageWith = (id: string): Page => newestPage(1, String(BigInt(id) + 1n));

/** Returns the places whose feed shows it, whether or not somebody has opened that before. */
const placesShowing = (app: App, places: Place[], { id }: StatusView): Promise<Place[]> =>
  filterAsync(places, async ({ feed }) => {
    const page = pageWith(id);
    const ids =
      (await app.feeds.page(feed.key, page)) ?? (await feedPage(app, feed, page, TIMEOUT_MS));
    return ids === null || ids[0] === id;
  });

/** A status, and the readers and lists into whose feeds it goes. */
type Placement = { view: StatusView; readers: Reader[]; lists: ListRef[] };

const loadPlacements = async (app: App, views: StatusView[]): Promise<Placement[]> => {
  const [readersOf, lists] = await Promise.all([loadReaders(app, views), listsFor(app, views)]);
  return views.map((view) => ({
    view,
    readers: readersOf(view),
    lists: lists.get(view.id) ?? [],
  }));
};

const placed = ({ view, readers, lists }: Placement) => ({
  keys: [...readers.map(({ home }) => home), ...lists.map((list) => listKey(list.id))],
  id: view.id,
  of: view.reblog_of_id,
});

/**
 * Removes boosts that ended while they were pushed: another process may have removed them already, and one that stays
 * would hide its booster's next one of the same post. Returns the others.
 */
const withoutEnded = async (app: App, placements: Placement[]): Promise<Placement[]> => {
  const boosts = placements.flatMap(({ view }) => (view.reblog_of_id === null ? [] : view.id));
  if (boosts.length === 0) return placements;
  const existing = new Set((await selectExisting(app.sql, boosts)).map(({ id }) => id));
  const hasEnded = ({ view: { id, reblog_of_id: of } }: Placement): boolean =>
    of !== null && !existing.has(id);
  const ended = placements.filter(hasEnded);
  if (ended.length > 0) await app.feeds.remove(ended.map(placed));
  return ended.length > 0 ? placements.filter((placement) => !hasEnded(placement)) : placements;
};

/** Pushes into all their feeds at once; returns the placements that still hold. */
const pushAll = async (app: App, placements: Placement[]): Promise<Placement[]> => {
  await app.feeds.push(placements.map(placed));
  return withoutEnded(app, placements);
};

/**
 * Returns the streams with listeners for each status, without those whose feed leaves it out. Listeners are determined
 * after the push: somebody who began to listen later finds it in the feed.
 */
const streamsFor = async (app: App, placements: Placement[]): Promise<OwnStream[][]> => {
  const all = placements.flatMap(({ readers, lists }) => [
    ...readers.map(({ channel }) => channel),
    ...lists.map(listChannel),
  ]);
  const listening = new Set(await app.pubsub.withListeners(all));
  if (listening.size === 0) return placements.map(() => []);
  const isHeard = ({ channel }: { channel: string }) => listening.has(channel);
  const streams: OwnStream[][] = [];
  for (const { view, readers, lists } of placements) {
    const places = [
      ...readers.filter(isHeard).map((reader) => homePlace(app, reader)),
      ...lists.map((list) => listPlace(app, list)).filter(isHeard),
    ];
    streams.push(mayBeLeftOut(app, view) ? await placesShowing(app, places, view) : places);
  }
  return streams;
};

/** Makes the entity when there is a listener, and once for all listeners. */
const lazyEvent = (app: App, view: StatusView): StreamEvent => {
  let update: StreamEvent | null = null;
  const event = () => (update ??= statusEvent(app, view, "update"));
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

/** Pushes into feeds, then onto the streams of their viewers; the queries are for all statuses together. */
const place = async (app: App, loaded: Placement[]): Promise<Placement[]> => {
  const placements = await pushAll(app, loaded);
  const streams = await streamsFor(app, placements);
  await publishToViewers(
    app,
    placements.map(({ view }, n) => ({ view, kind: "update", streams: streams[n]! })),
  );
  return placements;
};

const placementOf = (view: StatusView, readers: Reader[]): Placement => ({
  view,
  readers,
  lists: [],
});

/** Puts a status into its author's own home at once, for a page that is drawn before the fan-out. */
export const pushToAuthor = async (app: App, { id, account_id: authorId }: StatusView) =>
  app.feeds.push([{ keys: [homeKey(authorId)], id }]);

/**
 * Pushes into feeds and lists, then onto all streams, so that a client that gets the event finds the status. Is
 * idempotent for the feeds. The followers of authors with very many come last, in parts.
 */
export const fanOut = async (app: App, views: StatusView[]): Promise<void> => {
  const placements = await place(app, await loadPlacements(app, views));
  await publishStatuses(
    app,
    placements.map(({ view }) => ({ view, event: lazyEvent(app, view) })),
  );
  const present = placements.map(({ view }) => view);
  await eachPartOfReaders(app, present, async (view, readers) => {
    await place(app, [placementOf(view, readers)]);
  });
};

/** Puts statuses into the feeds in which they belong by their age, without streaming them. */
export const fillFeeds = async (app: App, views: StatusView[]): Promise<void> => {
  await pushAll(app, await loadPlacements(app, views));
  await eachPartOfReaders(app, views, async (view, readers) => {
    await pushAll(app, [placementOf(view, readers)]);
  });
};

/** Streams an edit, and puts the status where it belongs only now: the edit may name people or have another tag. */
export const fanOutEdit = async (app: App, view: StatusView): Promise<void> => {
  if (view.awaits_approval) return;
  const publish = async (placement: Placement): Promise<void> => {
    await app.feeds.push([placed(placement)]);
    const homes = await withListeners(app, placement.readers);
    const lists = placement.lists.map((list) => listPlace(app, list));
    const streams = [
      ...homes.map((reader) => homePlace(app, reader)),
      ...(await withListeners(app, lists)),
    ];
    await publishToViewers(app, [{ view, kind: "status.update", streams }]);
  };
  for (const placement of await loadPlacements(app, [view])) await publish(placement);
  await eachPartOfReaders(app, [view], (_view, readers) => publish(placementOf(view, readers)));
};

/** Returns the reblogs that were deleted with a status, which the boosters' followers had. */
const reblogsOf = (status: RemovedStatus): RemovedStatus[] =>
  (status.reblogs ?? []).map(({ id, accountId }) => ({
    ...status,
    id,
    accountId,
    reblogOfId: status.id,
    tags: [],
    mentionIds: [],
  }));

/** Returns those of the lists that may have it, by their owners. */
const listsWith = (status: RemovedStatus, lists: ListRef[] = []): ListRef[] => {
  if (openToFollowers(status)) return lists;
  const ownerIds = isCircle(status) ? [status.accountId, ...status.mentionIds] : [];
  return lists.filter(({ ownerId }) => ownerIds.includes(ownerId));
};

type Withdrawn = { status: RemovedStatus; places: { key: string; channel: string }[] };

const loadWithdrawn = async (app: App, removed: RemovedStatus[]): Promise<Withdrawn[]> => {
  const [readersOf, lists] = await Promise.all([
    loadPossibleReaders(app, removed),
    selectListsOfAuthors(app.sql, [...new Set(removed.map((status) => status.accountId))]),
  ]);
  return removed.map((status) => {
    const listed = listsWith(status, lists.get(status.accountId));
    return {
      status,
      places: [
        ...readersOf(status).map(({ home, channel }) => ({ key: home, channel })),
        ...listed.map((list) => ({ key: listKey(list.id), channel: listChannel(list) })),
      ],
    };
  });
};

/**
 * Leaves out the feeds that do not show a boost, since nobody has seen it there. Must be called before it is removed.
 */
const channelsShowing = async (app: App, all: Withdrawn[]): Promise<string[][]> => {
  const boosted = all.filter(({ status }) => status.reblogOfId !== null);
  const channels = boosted.flatMap(({ places }) => places.map(({ channel }) => channel));
  const listening = new Set(channels.length > 0 ? await app.pubsub.withListeners(channels) : []);
  const showing: string[][] = [];
  for (const { status, places } of all) {
    const shown =
      status.reblogOfId === null
        ? places
        : await filterAsync(places, async ({ key, channel }) => {
            if (!listening.has(channel)) return false;
            const ids = await app.feeds.page(key, pageWith(status.id));
            return ids === null || ids[0] === status.id;
          });
    showing.push(shown.map(({ channel }) => channel));
  }
  return showing;
};

const withdrawFrom = async (app: App, all: Withdrawn[]): Promise<void> => {
  const channels = await channelsShowing(app, all);
  // Deletes are published before the removal: after a failure the feeds still say where a boost was shown.
  await publishDeletes(
    app,
    all.map(({ status }, n) => ({ ...status, channels: channels[n]! })),
  );
  await removeFrom(app, all);
};

const removeFrom = (app: App, all: Withdrawn[]): Promise<void> =>
  app.feeds.remove(
    all.map(({ status, places }) => ({ keys: places.map(({ key }) => key), id: status.id })),
  );

/** Works as `withdrawFrom`, for homes alone. */
const withdrawFromHomes = async (app: App, status: RemovedStatus, readers: Reader[]) => {
  const places = readers.map(({ home, channel }) => ({ key: home, channel }));
  const all = [{ status, places }];
  const [channels] = await channelsShowing(app, all);
  await publishTo(app, channels!, { event: "delete", payload: status.id });
  await removeFrom(app, all);
};

/**
 * Publishes that statuses were deleted, and removes them from every feed that may have them; followers of authors with
 * very many come last.
 */
export const withdraw = async (app: App, deleted: RemovedStatus[]): Promise<void> => {
  if (deleted.length === 0) return;
  const removed = deleted.flatMap((status) => [status, ...reblogsOf(status)]);
  await withdrawFrom(app, await loadWithdrawn(app, removed));
  await eachPartOfPossibleReaders(app, removed, (status, readers) =>
    withdrawFromHomes(app, status, readers),
  );
};
