// The local readers of an author or a tag: read from the database once and cached until a follow,
// or a list, changes them (docs/decisions/0007-posting.md).

import { baseApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { boundedCache, sizeOf } from "../../platform/caches/bounded.ts";
import { recordCache } from "../../platform/caches/records.ts";
import type { Records } from "../../platform/caches/records.ts";
import { eachSlice } from "../../platform/turns.ts";
import { homeKey } from "../relationships/changed.ts";
import { selectAudiences, selectManyTagFollowers } from "./queries-readers.ts";
import type { AudienceRow, Preference } from "./queries-readers.ts";
import { userChannel } from "./streams.ts";

/**
 * A local person with the keys of their feed and their stream: one object, however many they read.
 */
export type Reader = { id: string; home: string; channel: string };

export type Audience = {
  /** Local followers of the author. */
  readers: Reader[];
  /** By id, those of them who do not want everything. */
  preferences: Map<string, Preference>;
  /** Does one of them want so many of a day alone? */
  isLimited: boolean;
  /** Ids of those who are notified of every post. */
  notified: string[];
  /** Ids of those who have the author in an exclusive list. */
  inExclusiveList: Set<string>;
  /** Is the author in any list? */
  isListed: boolean;
  /** Does a remote account follow the author? */
  hasRemoteFollowers: boolean;
};

type TagReaders = { readers: Reader[] };

/** A place in a list; the readers themselves are in a cache of their own. */
const READER_BYTES = 8;
const EMPTY_BYTES = 400;

const audiences = recordCache<Audience>({
  name: "audiences",
  kind: "followers",
  size: ({ readers, ...rest }) => EMPTY_BYTES + READER_BYTES * readers.length + sizeOf(rest),
});

const tagAudiences = recordCache<TagReaders>({
  name: "tag audiences",
  kind: "tag-followers",
  size: ({ readers }) => EMPTY_BYTES + READER_BYTES * readers.length,
});

/** An object with two strings; the id is a part of one of them. */
const PERSON_BYTES = 180;
const people = boundedCache<Reader>("readers", () => PERSON_BYTES);

const makeReader = (id: string): Reader => {
  const home = homeKey(id);
  // A part of `home`: a part of the query's whole result would hold that in memory.
  return { id: home.slice(-id.length), home, channel: userChannel(id) };
};

export const readerOf = (app: App, id: string): Reader => {
  const cache = people(app);
  const known = cache.get(id);
  if (known) return known;
  const reader = makeReader(id);
  const { evictions } = cache;
  cache.set(reader.id, reader);
  // Readers that were evicted, and are no longer counted, would stay in memory with the lists: all begins anew.
  if (cache.evictions > evictions) {
    cache.clear();
    audiences.clear(app);
    tagAudiences.clear(app);
  }
  return reader;
};

/** Of hundreds of thousands, so many are made in one turn of the event loop. */
const PER_TURN = 5000;

const readersOf = async (app: App, ids: string | null): Promise<Reader[]> => {
  const readers: Reader[] = [];
  await eachSlice(ids?.split(",") ?? [], PER_TURN, (slice) => {
    for (const id of slice) readers.push(readerOf(app, id));
  });
  return readers;
};

const audienceOf = async (app: App, row: AudienceRow): Promise<Audience> => ({
  readers: await readersOf(app, row.ids),
  preferences: new Map((row.selective ?? []).map(({ id, ...preference }) => [id, preference])),
  isLimited: (row.selective ?? []).some(({ limit }) => limit !== null),
  notified: row.notified ?? [],
  inExclusiveList: new Set(row.in_exclusive_list ?? []),
  isListed: row.listed,
  hasRemoteFollowers: row.has_remote,
});

/** From the cache, and with one query what is missing. */
const lookUp = async <T extends object>(
  records: Records<T>,
  keys: string[],
  read: (missing: string[]) => Promise<[string, T][]>,
): Promise<Map<string, T>> => {
  const values = new Map<string, T>();
  const missing = new Set<string>();
  for (const key of keys) {
    const present = records.get(key);
    if (present) values.set(key, present);
    else missing.add(key);
  }
  if (missing.size === 0) return values;
  return records.fill(async (put) => {
    for (const [key, value] of await read([...missing])) {
      values.set(key, value);
      put(key, value);
    }
    return values;
  });
};

const hear = async (app: App): Promise<App> =>
  (await app.cacheSync?.caughtUp()) ? baseApp(app) : app;

/** By the App of a job or of a batch of events, which asks once. */
const heard = new WeakMap<App, Promise<App>>();

/**
 * Jobs and events read them from the database, unless this process hears what others write: what follows from a post
 * changes nobody's followers, and whoever follows is answered when all have been told.
 */
const heardBy = (app: App): App | Promise<App> => {
  if (!app.fresh) return app;
  const reading = heard.get(app) ?? hear(app);
  heard.set(app, reading);
  return reading;
};

/** By author, each of these. */
export const cachedAudiences = async (
  app: App,
  authorIds: string[],
): Promise<Map<string, Audience>> =>
  lookUp(audiences(await heardBy(app)), authorIds, async (missing) => {
    const rows = await selectAudiences(app.sql, missing);
    return Promise.all(rows.map(async (row) => [row.id, await audienceOf(app, row)]));
  });

/** Who follows these tags, by folded name, each of these. */
export const cachedTagReaders = async (
  app: App,
  names: string[],
): Promise<Map<string, TagReaders>> =>
  lookUp(tagAudiences(await heardBy(app)), names, async (missing) => {
    const rows = await selectManyTagFollowers(app.sql, missing);
    const ids = new Map(rows.map((row) => [row.name, row.ids]));
    const read = async (name: string): Promise<TagReaders> => ({
      readers: await readersOf(app, ids.get(name) ?? null),
    });
    return Promise.all(missing.map(async (name) => [name, await read(name)]));
  });
