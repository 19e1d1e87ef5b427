// What has to be known to judge activities: asked once for all of a batch, in its transaction, so
// that nothing is cached and nothing can be stale.

import type { Db } from "../../platform/db/index.ts";
import {
  selectActors,
  selectActs,
  selectAuthorized,
  selectEarlyDeletes,
  selectFollowedHere,
  selectReblogs,
  selectStatusFacts,
  selectVisible,
} from "./queries-facts.ts";
import type { KnownAct, KnownActor, StatusFacts } from "./queries-facts.ts";

export type Facts = {
  actor(uri: string | null): KnownActor | undefined;
  /** The person of ours with this address, if they may be spoken to. */
  localPerson(uri: string | null): KnownActor | undefined;
  status(uri: string | null): StatusFacts | undefined;
  /** The actor took this activity or object back before it came. */
  wasTakenBack(actorUri: string, uri: string): boolean;
  isFollowedHere(accountId: string): boolean;
  /** Asked for in `meetings`. */
  maySee(actorId: string, status: StatusFacts): boolean;
  /** What the actor did by the activity with this address. */
  actBy(actorId: string, uri: string): KnownAct | undefined;
  /** Who follows the account, or asks to, by the Follow with this address. */
  followerBy(accountId: string, uri: string): string | undefined;
  /** The actor's reblog of a status, by the status's address. */
  reblogBy(actorId: string, statusUri: string): string | undefined;
  /** The statuses whose quotes the author allowed by this authorization. */
  authorizedBy(authorId: string, uri: string): string[];
  /** The address was asked for, on behalf of an activity that is judged again. */
  wasFetched(uri: string): boolean;
};

/** The addresses that activities are about. */
export type Wanted = {
  people: string[];
  statuses: string[];
  takenBack: string[];
  /** Of activities that may be known. */
  acts: string[];
  authorizations: string[];
  /** An actor who acts on a status. */
  meetings: { actorId: string; statusUri: string }[];
  reblogs: { actorId: string; statusUri: string }[];
};

/** Addresses that were fetched, and under which address each is known now; null: not to be had. */
export type Fetched = ReadonlyMap<string, string | null>;

const NONE: Fetched = new Map();

const distinct = (values: string[]): string[] => [...new Set(values)];

export const allWanted = (several: Partial<Wanted>[]): Wanted => ({
  people: several.flatMap(({ people = [] }) => people),
  statuses: several.flatMap(({ statuses = [] }) => statuses),
  takenBack: several.flatMap(({ takenBack = [] }) => takenBack),
  acts: several.flatMap(({ acts = [] }) => acts),
  authorizations: several.flatMap(({ authorizations = [] }) => authorizations),
  meetings: several.flatMap(({ meetings = [] }) => meetings),
  reblogs: several.flatMap(({ reblogs = [] }) => reblogs),
});

const unlessEmpty = async <T>(values: unknown[], ask: () => PromiseLike<T[]>): Promise<T[]> =>
  values.length === 0 ? [] : ask();

const groupBy = <T>(rows: T[], keyOf: (row: T) => string): Map<string, T> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** What the addresses alone answer, in one round trip. */
const lookUpAddresses = async (db: Db, actors: KnownActor[], wanted: Wanted) => {
  const uris = {
    statuses: distinct(wanted.statuses),
    people: distinct(wanted.people),
    takenBack: distinct(wanted.takenBack),
    acts: distinct(wanted.acts),
    authorizations: distinct(wanted.authorizations),
  };
  const actorIds = actors.map((actor) => actor.id);
  const [statuses, people, early, acts, authorized, reblogs] = await Promise.all([
    unlessEmpty(uris.statuses, () => selectStatusFacts(db, uris.statuses)),
    unlessEmpty(uris.people, () => selectActors(db, uris.people)),
    unlessEmpty(uris.takenBack, () => selectEarlyDeletes(db, uris.takenBack)),
    unlessEmpty(uris.acts, () => selectActs(db, uris.acts, actorIds)),
    unlessEmpty(uris.authorizations, () => selectAuthorized(db, uris.authorizations)),
    unlessEmpty(wanted.reblogs, () => selectReblogs(db, wanted.reblogs)),
  ]);
  return { statuses, people, early, acts, authorized, reblogs };
};

type ByUri = Map<string, StatusFacts>;

/** Who is followed here, and which statuses the actors may see, in another one. */
const lookUpPeople = async (db: Db, actors: KnownActor[], byUri: ByUri, wanted: Wanted) => {
  const meetings = wanted.meetings.flatMap(({ actorId, statusUri }) => {
    const statusId = byUri.get(statusUri)?.id;
    return statusId === undefined ? [] : [{ actorId, statusId }];
  });
  const authorIds = [...byUri.values()].map((status) => status.account_id);
  const followable = distinct([...actors.map((actor) => actor.id), ...authorIds]);
  const [followed, visible] = await Promise.all([
    unlessEmpty(followable, () => selectFollowedHere(db, followable)),
    unlessEmpty(meetings, () => selectVisible(db, meetings)),
  ]);
  return { followed, visible };
};

/** Under the addresses that things are known by since they were fetched. */
const renamed = (wanted: Wanted, fetched: Fetched): Wanted => {
  if (fetched.size === 0) return wanted;
  const name = (uri: string): string => fetched.get(uri) ?? uri;
  return {
    ...wanted,
    statuses: wanted.statuses.map(name),
    meetings: wanted.meetings.map((one) => ({ ...one, statusUri: name(one.statusUri) })),
  };
};

/** `actors`: those who sent the activities. */
export const lookUp = async (
  db: Db,
  actors: KnownActor[],
  asked: Wanted,
  fetched: Fetched = NONE,
): Promise<Facts> => {
  const wanted = renamed(asked, fetched);
  const found = await lookUpAddresses(db, actors, wanted);
  const byUri = groupBy(found.statuses, (status) => status.uri);
  const { followed, visible } = await lookUpPeople(db, actors, byUri, wanted);
  const accounts = groupBy([...actors, ...found.people], (account) => account.uri);
  const early = new Set(found.early.map((row) => `${row.actor_uri} ${row.uri}`));
  const followedIds = new Set(followed.map((row) => row.id));
  const seen = new Set(visible.map((row) => `${row.actor_id} ${row.status_id}`));
  const actOf = groupBy(found.acts, (act) => `${act.account_id} ${act.uri}`);
  const follows = found.acts.filter((act) => act.kind === "follow");
  const followOf = groupBy(follows, (act) => `${act.target_id} ${act.uri}`);
  const reblogOf = groupBy(found.reblogs, (row) => `${row.actor_id} ${row.status_uri}`);
  return {
    actor: (uri) => (uri === null ? undefined : accounts.get(uri)),
    localPerson(uri) {
      const account = uri === null ? undefined : accounts.get(uri);
      return account?.domain === null && !account.suspended ? account : undefined;
    },
    status: (uri) => (uri === null ? undefined : byUri.get(fetched.get(uri) ?? uri)),
    wasTakenBack: (actorUri, uri) => early.has(`${actorUri} ${uri}`),
    isFollowedHere: (accountId) => followedIds.has(accountId),
    maySee: (actorId, status) => seen.has(`${actorId} ${status.id}`),
    actBy: (actorId, uri) => actOf.get(`${actorId} ${uri}`),
    followerBy: (accountId, uri) => followOf.get(`${accountId} ${uri}`)?.account_id,
    reblogBy: (actorId, statusUri) => reblogOf.get(`${actorId} ${statusUri}`)?.id,
    authorizedBy: (authorId, uri) =>
      found.authorized
        .filter((row) => row.author_id === authorId && row.uri === uri)
        .map((row) => row.status_id),
    wasFetched: (uri) => fetched.has(uri),
  };
};
