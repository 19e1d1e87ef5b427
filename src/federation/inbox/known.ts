// What has to be known to judge a batch of activities: asked once for all of them, in one
// transaction, so that nothing is cached and nothing can be stale.

import type { Db } from "../../platform/db/index.ts";
import {
  selectActors,
  selectBarred,
  selectEarlyDeletes,
  selectFollowedHere,
  selectLikes,
  selectStamps,
  selectStatusFacts,
} from "./queries-batch.ts";
import type { StatusFacts } from "./queries-batch.ts";
import type { KnownActor } from "./queries.ts";

export type Known = {
  actor(uri: string): KnownActor | undefined;
  status(uri: string | null): StatusFacts | undefined;
  /** The actor took this activity or object back before it came. */
  wasTakenBack(actorUri: string, uri: string): boolean;
  isFollowedHere(accountId: string): boolean;
  /** The author blocks the actor. */
  isBarred(authorId: string, actorId: string): boolean;
  /** What this actor favourited by the activity with this address. */
  likedBy(actorId: string, uri: string): string | undefined;
  /** It is the consent to a quote. */
  isStamp(uri: string): boolean;
};

/** The addresses that the activities of a batch are about. */
export type Wanted = {
  people: string[];
  statuses: string[];
  takenBack: string[];
  likes: string[];
  stamps: string[];
  /** An actor and the address of a status on which they act. */
  acts: { actorId: string; statusUri: string }[];
};

const distinct = (values: string[]): string[] => [...new Set(values)];

const unlessEmpty = async <T>(values: unknown[], ask: () => PromiseLike<T[]>): Promise<T[]> =>
  values.length === 0 ? [] : ask();

/** `actors`: those who sent the batch. */
export const lookUp = async (db: Db, actors: KnownActor[], wanted: Wanted): Promise<Known> => {
  const takenBack = distinct(wanted.takenBack);
  const likes = distinct(wanted.likes);
  const statusUris = distinct(wanted.statuses);
  const peopleUris = distinct(wanted.people);
  const stampUris = distinct(wanted.stamps);
  const [statuses, people, early, liked, stamps] = await Promise.all([
    unlessEmpty(statusUris, () => selectStatusFacts(db, statusUris)),
    unlessEmpty(peopleUris, () => selectActors(db, peopleUris)),
    unlessEmpty(takenBack, () => selectEarlyDeletes(db, takenBack)),
    unlessEmpty(likes, () => selectLikes(db, likes)),
    unlessEmpty(stampUris, () => selectStamps(db, stampUris)),
  ]);
  const byUri = new Map(statuses.map((status) => [status.uri, status]));
  const actorIds = actors.map((actor) => actor.id);
  const authorIds = statuses.map((status) => status.account_id);
  const pairs = wanted.acts.flatMap(({ actorId, statusUri }) => {
    const authorId = byUri.get(statusUri)?.account_id;
    return authorId === undefined ? [] : [{ actorId, authorId }];
  });
  const followable = distinct([...actorIds, ...authorIds]);
  const [followed, barred] = await Promise.all([
    unlessEmpty(followable, () => selectFollowedHere(db, followable)),
    unlessEmpty(pairs, () =>
      selectBarred(
        db,
        pairs.map((pair) => pair.authorId),
        pairs.map((pair) => pair.actorId),
      ),
    ),
  ]);
  const accounts = new Map([...actors, ...people].map((account) => [account.uri, account]));
  const gone = new Set(early.map((row) => `${row.actor_uri} ${row.uri}`));
  const followedIds = new Set(followed.map((row) => row.id));
  const barredPairs = new Set(barred.map((row) => `${row.author_id} ${row.actor_id}`));
  const likedIds = new Map(liked.map((row) => [`${row.account_id} ${row.uri}`, row.status_id]));
  const stampSet = new Set(stamps.map((row) => row.uri));
  return {
    isStamp: (uri) => stampSet.has(uri),
    actor: (uri) => accounts.get(uri),
    status: (uri) => (uri === null ? undefined : byUri.get(uri)),
    wasTakenBack: (actorUri, uri) => gone.has(`${actorUri} ${uri}`),
    isFollowedHere: (accountId) => followedIds.has(accountId),
    isBarred: (authorId, actorId) => barredPairs.has(`${authorId} ${actorId}`),
    likedBy: (actorId, uri) => likedIds.get(`${actorId} ${uri}`),
  };
};
