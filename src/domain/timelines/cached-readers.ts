// Who reads an author, or a tag, here: asked of the database once and cached until a follow, or a list,
// changes it (docs/decisions/0007-posting.md).

import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import { recordCache } from "../../platform/caches/records.ts";
import type { Records } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import { homeKey } from "../relationships/changed.ts";
import { selectAudiences, selectManyTagFollowers } from "./queries-readers.ts";
import type { AudienceRow } from "./queries-readers.ts";
import { userChannel } from "./streams.ts";

/** A person here with the names of their feed and their stream: one object, however many they read. */
export type Reader = { id: string; home: string; channel: string };

type Preference = { reblogs: boolean; languages: string[] | null };

export type Audience = {
  /** Everybody here who follows the author. */
  readers: Reader[];
  /** Of these by id who do not want everything. */
  preferences: Map<string, Preference>;
  /** Of these who are notified of every post: ids. */
  notified: string[];
  /** Who has the author in an exclusive list: ids. */
  inExclusiveList: Set<string>;
  /** Is the author in any list? */
  isListed: boolean;
  /** Does anybody from inExclusiveList follow the author? */
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

/** An object with its two names, of which the id is a part of one. */
const PERSON_BYTES = 180;
const people = boundedCache<Reader>("readers", () => PERSON_BYTES);

const makeReader = (id: string): Reader => {
  const home = homeKey(id);
  // A part of its own text: one of the whole answer would keep that in memory.
  return { id: home.slice(-id.length), home, channel: userChannel(id) };
};

export const readerOf = (app: App, id: string): Reader => {
  const cache = people(app);
  const known = cache.get(id);
  if (known) return known;
  const made = makeReader(id);
  const { overflows } = cache;
  cache.set(made.id, made);
  // Lists would go on holding readers that are counted no more.
  if (cache.overflows > overflows) {
    audiences.clear(app);
    tagAudiences.clear(app);
  }
  return made;
};

const readersOf = (app: App, ids: string | null): Reader[] =>
  ids === null ? [] : ids.split(",").map((id) => readerOf(app, id));

const audienceOf = (app: App, row: AudienceRow): Audience => ({
  readers: readersOf(app, row.ids),
  preferences: new Map((row.selective ?? []).map(({ id, ...preference }) => [id, preference])),
  notified: row.notified ?? [],
  inExclusiveList: new Set(row.in_exclusive_list ?? []),
  isListed: row.listed,
  hasRemoteFollowers: row.has_remote,
});

/** From memory, and with one query what is not there. */
const lookUp = async <T extends object>(
  records: Records<T>,
  keys: string[],
  read: (missing: string[]) => Promise<[string, T][]>,
): Promise<Map<string, T>> => {
  const found = new Map<string, T>();
  const missing = new Set<string>();
  for (const key of keys) {
    const present = records.get(key);
    if (present) found.set(key, present);
    else missing.add(key);
  }
  if (missing.size === 0) return found;
  return records.fill(async (put) => {
    for (const [key, value] of await read([...missing])) {
      found.set(key, value);
      put(key, value);
    }
    return found;
  });
};

/** Of these authors, each of them. */
export const cachedAudiences = (app: App, authorIds: string[]): Promise<Map<string, Audience>> =>
  lookUp(audiences(app), authorIds, async (missing) => {
    const rows = await selectAudiences(app.sql, missing);
    return rows.map((row) => [row.id, audienceOf(app, row)]);
  });

/** Who follows these tags, by folded name; each of them is there. */
export const cachedTagReaders = (app: App, names: string[]): Promise<Map<string, TagReaders>> =>
  lookUp(tagAudiences(app), names, async (missing) => {
    const rows = await selectManyTagFollowers(app.sql, missing);
    const ids = new Map(rows.map((row) => [row.name, row.ids]));
    return missing.map((name) => [name, { readers: readersOf(app, ids.get(name) ?? null) }]);
  });
