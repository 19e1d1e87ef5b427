// Facts by which activities are judged, looked up once for a whole batch, in its transaction and without caches, so
// that nothing is stale.

import type { Db } from "../../platform/db/index.ts";
import { restrictsReplies } from "../../domain/posts/statuses/rules.ts";
import { storedAddresses } from "./pages.ts";
import {
  selectActors,
  selectConcerning,
  selectKnownActivities,
  selectAuthorized,
  selectCollectionFacts,
  selectEarlyDeletes,
  selectFeatured,
  selectWithLocalFollowers,
  selectReblogs,
  selectStatusFacts,
  selectVisible,
} from "./queries-facts.ts";
import type { CollectionFacts, KnownActivity, KnownActor, StatusFacts } from "./queries-facts.ts";

export type Facts = {
  actor(uri: string | null): KnownActor | undefined;
  /** Returns the local account with this address, unless it is suspended. */
  localAccount(uri: string | null): KnownActor | undefined;
  status(uri: string | null): StatusFacts | undefined;
  /** Whether the actor deleted this object, or undid this activity, before it arrived. */
  wasDeletedEarly(actorUri: string, uri: string): boolean;
  hasLocalFollowers(accountId: string): boolean;
  /**
   * Whether people here follow, block or mute the account, or have a note about it; for accounts in
   * `Wanted.concerning`.
   */
  concernsPeople(accountId: string): boolean;
  /** Whether the actor may see the status; for pairs in `Wanted.interactions`. */
  maySee(actorId: string, status: StatusFacts): boolean;
  /** Whether the author of our post lets the actor reply to it; for the same pairs. */
  mayReply(actorId: string, status: StatusFacts): boolean;
  /** Returns the actor's stored activity with this address. */
  activityBy(actorId: string, uri: string): KnownActivity | undefined;
  /** Returns the answer to a calendar event with this address, whoever gave it. */
  answerBy(uri: string): KnownActivity | undefined;
  /** Returns the account whose Follow (or request) of the account has this address. */
  followerBy(accountId: string, uri: string): string | undefined;
  /** Returns the actor's reblog of a status, by the status's address. */
  reblogBy(actorId: string, statusUri: string): string | undefined;
  /** Returns the statuses whose quotes the author allowed by this authorization. */
  authorizedBy(authorId: string, uri: string): string[];
  /** Returns a stored collection of another server. */
  collection(uri: string | null): CollectionFacts | undefined;
  /** Returns the items of collections that this consent of the account allows. */
  featuredBy(accountId: string, uri: string): string[];
  /** Whether the address was requested for an activity of the batch, with or without success. */
  wasFetched(uri: string): boolean;
  /** Whether the authorization with this address was requested and allows what it has to. */
  isVerified(uri: string): boolean;
};

/** Addresses to look up. */
export type Lookups = {
  accounts: string[];
  statuses: string[];
  earlyDeletes: string[];
  /** Addresses of stored Follows, Likes, Blocks and answers to calendar events. */
  activities: string[];
  authorizations: string[];
  /** An actor and the status that its activity is about. */
  interactions: { actorId: string; statusUri: string }[];
  reblogs: { actorId: string; statusUri: string }[];
  /** Ids of accounts. */
  concerning: string[];
  collections: string[];
};

/** Requested addresses, each with the address under which its document is stored; null if it is not available. */
export type Fetched = ReadonlyMap<string, string | null>;

const NONE: Fetched = new Map();

export const allLookups = (several: Partial<Lookups>[]): Lookups => ({
  accounts: several.flatMap(({ accounts = [] }) => accounts),
  statuses: several.flatMap(({ statuses = [] }) => statuses),
  earlyDeletes: several.flatMap(({ earlyDeletes = [] }) => earlyDeletes),
  activities: several.flatMap(({ activities = [] }) => activities),
  authorizations: several.flatMap(({ authorizations = [] }) => authorizations),
  interactions: several.flatMap(({ interactions = [] }) => interactions),
  reblogs: several.flatMap(({ reblogs = [] }) => reblogs),
  concerning: several.flatMap(({ concerning = [] }) => concerning),
  collections: several.flatMap(({ collections = [] }) => collections),
});

/** Asks for what has these values, each once; for none, nothing is asked. */
const lookUpEach = async <V, T>(
  values: V[],
  ask: (distinct: V[]) => PromiseLike<T[]>,
): Promise<T[]> => (values.length === 0 ? [] : ask([...new Set(values)]));

type Rows<T> = { [K in keyof T]: Awaited<T[K]> };

/** Waits for all queries; returns the rows of each under its name. */
const allOf = async <T extends Record<string, Promise<unknown>>>(queries: T): Promise<Rows<T>> => {
  const named = Object.entries(queries).map(async ([name, query]) => [name, await query]);
  return Object.fromEntries(await Promise.all(named)) as Rows<T>;
};

const groupBy = <T>(rows: T[], keyOf: (row: T) => string): Map<string, T> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** Looks up what can be found by addresses alone, in one round trip. */
const lookUpAddresses = (db: Db, actors: KnownActor[], lookups: Lookups) => {
  const actorIds = actors.map((actor) => actor.id);
  return allOf({
    statuses: lookUpEach(lookups.statuses, (uris) => selectStatusFacts(db, uris)),
    accounts: lookUpEach(lookups.accounts, (uris) => selectActors(db, uris)),
    early: lookUpEach(lookups.earlyDeletes, (uris) => selectEarlyDeletes(db, uris)),
    activities: lookUpEach(lookups.activities, (uris) => selectKnownActivities(db, uris, actorIds)),
    authorized: lookUpEach(lookups.authorizations, (uris) => selectAuthorized(db, uris)),
    featured: lookUpEach(lookups.authorizations, (uris) => selectFeatured(db, uris)),
    reblogs: lookUpEach(lookups.reblogs, (pairs) => selectReblogs(db, pairs)),
    concerning: lookUpEach(lookups.concerning, (ids) => selectConcerning(db, ids)),
    collections: lookUpEach(lookups.collections, (uris) => selectCollectionFacts(db, uris)),
  });
};

type ByUri = Map<string, StatusFacts>;

/** Looks up in a second round trip who has local followers, and which statuses the actors may see. */
const lookUpRelations = (db: Db, actors: KnownActor[], byUri: ByUri, lookups: Lookups) => {
  const interactions = lookups.interactions.flatMap(({ actorId, statusUri }) => {
    const statusId = byUri.get(statusUri)?.id;
    return statusId === undefined ? [] : [{ actorId, statusId }];
  });
  const authorIds = [...byUri.values()].map((status) => status.account_id);
  const followable = [...actors.map((actor) => actor.id), ...authorIds];
  return allOf({
    followed: lookUpEach(followable, (ids) => selectWithLocalFollowers(db, ids)),
    visible: lookUpEach(interactions, (pairs) => selectVisible(db, pairs)),
  });
};

type Named = (uri: string) => string;

/** Replaces addresses of fetched documents and of pages by those under which things are stored. */
const renamed = (lookups: Lookups, name: Named): Lookups => {
  const about = <T extends { statusUri: string }>(act: T): T => ({
    ...act,
    statusUri: name(act.statusUri),
  });
  return {
    ...lookups,
    statuses: lookups.statuses.map(name),
    accounts: lookups.accounts.map(name),
    interactions: lookups.interactions.map(about),
    reblogs: lookups.reblogs.map(about),
  };
};

/** Looks up all facts; `actors` are the senders of the activities. */
export const lookUp = async (
  db: Db,
  actors: KnownActor[],
  lookups: Lookups,
  fetched: Fetched = NONE,
): Promise<Facts> => {
  const { statuses, accounts: actorUris, reblogs } = lookups;
  const reblogged = reblogs.map(({ statusUri }) => statusUri);
  const pages = await storedAddresses(db, [...statuses, ...actorUris, ...reblogged]);
  const nameOf: Named = (uri) => pages.get(uri) ?? fetched.get(uri) ?? uri;
  const known = renamed(lookups, nameOf);
  const rows = await lookUpAddresses(db, actors, known);
  const byUri = groupBy(rows.statuses, (status) => status.uri);
  const { followed, visible } = await lookUpRelations(db, actors, byUri, known);
  const accounts = groupBy([...actors, ...rows.accounts], (account) => account.uri);
  const early = new Set(rows.early.map((row) => `${row.actor_uri} ${row.uri}`));
  const followedIds = new Set(followed.map((row) => row.id));
  const seen = new Set(visible.map((row) => `${row.actor_id} ${row.status_id}`));
  const answering = new Set(
    visible.filter((row) => row.may_reply).map((row) => `${row.actor_id} ${row.status_id}`),
  );
  const activityOf = groupBy(rows.activities, (act) => `${act.account_id} ${act.uri}`);
  const follows = rows.activities.filter((act) => act.kind === "follow");
  const followOf = groupBy(follows, (act) => `${act.target_id} ${act.uri}`);
  const reblogOf = groupBy(rows.reblogs, (row) => `${row.actor_id} ${row.status_uri}`);
  return {
    actor: (uri) => (uri === null ? undefined : accounts.get(nameOf(uri))),
    localAccount(uri) {
      const account = uri === null ? undefined : accounts.get(nameOf(uri));
      return account?.domain === null && !account.suspended ? account : undefined;
    },
    status: (uri) => (uri === null ? undefined : byUri.get(nameOf(uri))),
    wasDeletedEarly: (actorUri, uri) => early.has(`${actorUri} ${uri}`),
    hasLocalFollowers: (accountId) => followedIds.has(accountId),
    concernsPeople: (accountId) => rows.concerning.some(({ id }) => id === accountId),
    maySee: (actorId, status) => seen.has(`${actorId} ${status.id}`),
    mayReply: (actorId, status) =>
      !restrictsReplies(status) || answering.has(`${actorId} ${status.id}`),
    activityBy: (actorId, uri) => activityOf.get(`${actorId} ${uri}`),
    answerBy: (uri) => rows.activities.find((act) => act.kind === "answer" && act.uri === uri),
    followerBy: (accountId, uri) => followOf.get(`${accountId} ${uri}`)?.account_id,
    reblogBy: (actorId, statusUri) => reblogOf.get(`${actorId} ${nameOf(statusUri)}`)?.id,
    authorizedBy: (authorId, uri) =>
      rows.authorized
        .filter((row) => row.author_id === authorId && row.uri === uri)
        .map((row) => row.status_id),
    collection: (uri) => rows.collections.find((row) => row.uri === uri),
    featuredBy: (accountId, uri) =>
      rows.featured
        .filter((row) => row.account_id === accountId && row.uri === uri)
        .map(({ id }) => id),
    wasFetched: (uri) => fetched.has(uri),
    isVerified: (uri) => fetched.get(uri) === uri,
  };
};
