// Caches the local readers of an author or a tag, read from the database once, until a follow or a person's list
// changes them (docs/design/caches.md).

import { baseApp } from "../../../platform/app.ts";
import type { App } from "../../../platform/app.ts";
import { boundedCache, sizeOf } from "../../../platform/caches/bounded.ts";
import { readMissing, recordCache } from "../../../platform/caches/records.ts";
import { eachSlice } from "../../../platform/event-loop-turns.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import {
  selectAudiencePart,
  selectAudiences,
  selectManyTagFollowers,
  selectNotifiedPart,
} from "./queries-readers.ts";
import type { AudienceRow, Preference } from "./queries-readers.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";

/** A local person with the keys of their feed and their stream: one object for all authors that they read. */
export type Reader = { id: string; home: string; channel: string };

export type Audience = {
  /** Local followers of the author; none for an author with very many, see `eachAudiencePart`. */
  readers: Reader[];
  /** Maps ids to preferences of readers who do not want everything. */
  preferences: Map<string, Preference>;
  /** Whether one of them has a daily limit. */
  isLimited: boolean;
  /** Ids of readers who are notified of every post. */
  notified: string[];
  /** Ids of people who have the author in an exclusive list. */
  inExclusiveList: Set<string>;
  /** Whether the author is in any list. */
  isListed: boolean;
  /** Whether a remote account follows the author. */
  hasRemoteFollowers: boolean;
  /**
   * Whether very many follow the author, here or elsewhere: the work for them is done in parts, and others do not wait
   * for it.
   */
  isWide: boolean;
  isWideElsewhere: boolean;
};

type TagReaders = { readers: Reader[] };

/**
 * Estimated bytes of a reference in a list (the readers themselves are in a cache of their own), and of an empty entry.
 */
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

/** Estimated bytes of an object with two strings; the id is a part of one of them. */
const PERSON_BYTES = 180;
const people = boundedCache<Reader>("readers", () => PERSON_BYTES);

const makeReader = (id: string): Reader => {
  const home = homeKey(id);
  // The id is cut out of `home`: a part of the query's result would hold the whole of it in memory.
  return { id: home.slice(-id.length), home, channel: userChannel(id) };
};

export const readerOf = (app: App, id: string): Reader => {
  const cache = people(app);
  const known = cache.get(id);
  if (known) return known;
  const reader = makeReader(id);
  const { evictions } = cache;
  cache.set(reader.id, reader);
  // Clears everything: readers that were evicted, and are no longer counted, would stay in memory with the lists.
  if (cache.evictions > evictions) {
    cache.clear();
    audiences.clear(app);
    tagAudiences.clear(app);
  }
  return reader;
};

/** Readers that are made in one turn of the event loop. */
const PER_TURN = 5000;

/** Followers up to which lists and readers are cached. */
const MOST = { here: 10_000, elsewhere: 2000 };
/** Followers of others that are read and processed together. */
const PER_PART = 5000;

const readersOf = async (app: App, ids: string | null): Promise<Reader[]> => {
  const readers: Reader[] = [];
  await eachSlice(ids?.split(",") ?? [], PER_TURN, (slice) => {
    for (const id of slice) readers.push(readerOf(app, id));
  });
  return readers;
};

const preferencesOf = (selective: AudienceRow["selective"]) => ({
  preferences: new Map((selective ?? []).map(({ id, ...preference }) => [id, preference])),
  isLimited: (selective ?? []).some(({ limit }) => limit !== null),
});

const audienceOf = async (app: App, row: AudienceRow): Promise<Audience> => ({
  readers: await readersOf(app, row.ids),
  ...preferencesOf(row.selective),
  notified: row.notified ?? [],
  inExclusiveList: new Set(row.in_exclusive_list ?? []),
  isListed: row.listed,
  hasRemoteFollowers: row.has_remote,
  isWide: row.wide,
  isWideElsewhere: row.wide_elsewhere,
});

const chooseApp = async (app: App): Promise<App> =>
  (await app.cacheSync?.caughtUp()) ? baseApp(app) : app;

/** The choice for the App of a job or of a batch of events, which asks once. */
const chosenApps = new WeakMap<App, Promise<App>>();

/**
 * Returns the App to read with. Jobs and events read from the database, unless this process receives what others write:
 * the event itself changes nobody's followers, and a follow is answered once all processes have received it.
 */
export const freshEnoughApp = (app: App): App | Promise<App> => {
  if (!app.fresh) return app;
  const reading = chosenApps.get(app) ?? chooseApp(app);
  chosenApps.set(app, reading);
  return reading;
};

/** Returns the audience of each author. */
export const cachedAudiences = async (
  app: App,
  authorIds: string[],
): Promise<Map<string, Audience>> =>
  readMissing(audiences(await freshEnoughApp(app)), authorIds, async (missing) => {
    const rows = await selectAudiences(app.sql, missing, MOST);
    return Promise.all(rows.map(async (row) => [row.id, await audienceOf(app, row)]));
  });

/** Returns for each author their id where the followers get posts in parts, null for others. */
export const wideAuthors = async (app: App, authorIds: string[]): Promise<(string | null)[]> => {
  const audiences = await cachedAudiences(app, authorIds);
  return authorIds.map((id) => {
    const { isWide, isWideElsewhere } = audiences.get(id)!;
    return isWide || isWideElsewhere ? id : null;
  });
};

export type AudiencePart = Pick<Audience, "readers" | "preferences" | "isLimited">;

/**
 * Yields the local followers of an author with very many in parts, read from the database and not cached; with `among`
 * only these people.
 */
export const eachAudiencePart = async (
  app: App,
  authorId: string,
  work: (part: AudiencePart) => Promise<void>,
  among: string[] | null = null,
): Promise<void> => {
  for (let after: string | null = "0"; after !== null;) {
    const part = { after, limit: PER_PART, among };
    const { ids, selective } = await selectAudiencePart(app.sql, authorId, part);
    const readers = (ids?.split(",") ?? []).map(makeReader);
    if (readers.length > 0) await work({ readers, ...preferencesOf(selective) });
    after = readers.length < PER_PART ? null : readers.at(-1)!.id;
  }
};

/** Calls `work` with the people who are notified of each post of the author, a part at a time. */
export const eachNotifiedPart = async (
  app: App,
  authorId: string,
  work: (part: { id: string; languages: string[] | null }[]) => Promise<void>,
): Promise<void> => {
  for (let after: string | null = "0"; after !== null;) {
    const part = await selectNotifiedPart(app.sql, authorId, after, PER_PART);
    if (part.length > 0) await work(part);
    after = part.length < PER_PART ? null : part.at(-1)!.id;
  }
};

/** Returns the followers of each of these tags, by folded name. */
export const cachedTagReaders = async (
  app: App,
  names: string[],
): Promise<Map<string, TagReaders>> =>
  readMissing(tagAudiences(await freshEnoughApp(app)), names, async (missing) => {
    const rows = await selectManyTagFollowers(app.sql, missing);
    const ids = new Map(rows.map((row) => [row.name, row.ids]));
    const read = async (name: string): Promise<TagReaders> => ({
      readers: await readersOf(app, ids.get(name) ?? null),
    });
    return Promise.all(missing.map(async (name) => [name, await read(name)]));
  });
