// Who reads an author, or a tag, here: asked of the database once and kept in memory until a follow,
// or a list, changes it (platform/db/invalidate.ts; docs/decisions/0007-posting.md).

import type { App } from "../../platform/app.ts";
import { keepRecords } from "../../platform/db/kept.ts";
import type { KeptRecords } from "../../platform/db/kept.ts";
import { homeKey } from "../relationships/changed.ts";
import { selectAudiences, selectManyTagFollowers } from "./queries-readers.ts";
import type { AudienceRow } from "./queries-readers.ts";
import { userChannel } from "./streams.ts";

/** A person here with the names of their feed and their stream: one object, however many they read. */
export type Reader = { id: string; home: string; channel: string };

type Wish = { reblogs: boolean; languages: string[] | null };

export type Audience = {
  /** Everybody here who follows the author. */
  readers: Reader[];
  /** Of these by id who do not want everything. */
  wishes: Map<string, Wish>;
  /** Of these who are told of every post: ids. */
  notified: string[];
  /** Who has the author in an exclusive list: ids. */
  elsewhere: Set<string>;
  /** Is the author in any list? */
  isListed: boolean;
  /** Does anybody from elsewhere follow the author? */
  isReadAbroad: boolean;
};

type TagReaders = { readers: Reader[] };

/** Of readers in all; 8 bytes each, some 10 MB. */
const MAX_READERS = 1_000_000;
/** What an author without readers weighs. */
const EMPTY = 20;
/** About 200 bytes each. */
const MAX_PEOPLE = 100_000;

type Kept = {
  audiences: KeptRecords<Audience>;
  tags: KeptRecords<TagReaders>;
  people: Map<string, Reader>;
};

const caches = new WeakMap<App, Kept>();

const keptOf = (app: App): Kept => {
  const present = caches.get(app);
  if (present) return present;
  const weigh = ({ readers }: TagReaders) => EMPTY + readers.length;
  const made = {
    audiences: keepRecords<Audience>(app.sql, "followers", MAX_READERS, weigh),
    tags: keepRecords<TagReaders>(app.sql, "tag-followers", MAX_READERS, weigh),
    people: new Map<string, Reader>(),
  };
  caches.set(app, made);
  return made;
};

const makeReader = (id: string): Reader => {
  const home = homeKey(id);
  // A part of its own text: one of the whole answer would keep that in memory.
  return { id: home.slice(-id.length), home, channel: userChannel(id) };
};

export const readerOf = (app: App, id: string): Reader => {
  const { people } = keptOf(app);
  const known = people.get(id);
  if (known) return known;
  if (people.size >= MAX_PEOPLE) people.clear();
  const made = makeReader(id);
  people.set(made.id, made);
  return made;
};

const readersOf = (app: App, ids: string | null): Reader[] =>
  ids === null ? [] : ids.split(",").map((id) => readerOf(app, id));

const audienceOf = (app: App, row: AudienceRow): Audience => ({
  readers: readersOf(app, row.ids),
  wishes: new Map((row.choosy ?? []).map(({ id, ...wish }) => [id, wish])),
  notified: row.notified ?? [],
  elsewhere: new Set(row.elsewhere ?? []),
  isListed: row.listed,
  isReadAbroad: row.abroad,
});

/** From memory, and with one query what is not there. */
const lookUp = async <T extends object>(
  app: App,
  records: KeptRecords<T>,
  keys: string[],
  read: (missing: string[]) => Promise<[string, T][]>,
): Promise<Map<string, T>> => {
  const isKept = app.config.caches.statuses;
  const found = new Map<string, T>();
  const missing = new Set<string>();
  for (const key of keys) {
    const kept = isKept ? records.get(key) : undefined;
    if (kept) found.set(key, kept);
    else missing.add(key);
  }
  if (missing.size === 0) return found;
  const readAt = records.now();
  for (const [key, value] of await read([...missing])) {
    found.set(key, value);
    if (isKept) records.put(key, value, readAt);
  }
  return found;
};

/** Of these authors, each of them. */
export const keptAudiences = (app: App, authorIds: string[]): Promise<Map<string, Audience>> =>
  lookUp(app, keptOf(app).audiences, authorIds, async (missing) => {
    const rows = await selectAudiences(app.sql, missing);
    return rows.map((row) => [row.id, audienceOf(app, row)]);
  });

/** Who follows these tags, by folded name; each of them is there. */
export const keptTagReaders = (app: App, names: string[]): Promise<Map<string, TagReaders>> =>
  lookUp(app, keptOf(app).tags, names, async (missing) => {
    const rows = await selectManyTagFollowers(app.sql, missing);
    const ids = new Map(rows.map((row) => [row.name, row.ids]));
    return missing.map((name) => [name, { readers: readersOf(app, ids.get(name) ?? null) }]);
  });
