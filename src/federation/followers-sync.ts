// Synchronises followers (FEP-8fcf). Activities for followers alone come with a digest of the sender's followers on the
// receiving server. Where the digest differs, that server reads the list and corrects itself.

import { createHash } from "node:crypto";
import type { App } from "../platform/app.ts";
import { withPresentNames } from "../platform/config/names.ts";
import { httpUrl, hostIn, idsOf, sameHost } from "../platform/json/read.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { acceptFollow } from "../domain/people/relationships/accept-follow.ts";
import { unfollow } from "../domain/people/relationships/unfollow.ts";
import { readCollection } from "./collections.ts";
import "./events.ts";
import { nullUnlessTemporary } from "./faults.ts";
import { isLocalUri } from "./hosts.ts";
import {
  selectActorForSync,
  selectFollowerDigests,
  selectFollowersOf,
  selectLocalDigest,
  selectLocalFollowers,
} from "./queries.ts";
import type { LocalFollower } from "./queries.ts";

export const SYNC_HEADER = "collection-synchronization";

/** Digests of an actor's followers, by host. */
export type FollowerDigests = { actorUri: string; byHost: Map<string, string> };

const HEX_DIGITS = 64;
const NOBODY = "0".repeat(HEX_DIGITS);

const hexOf = (bits: bigint): string => bits.toString(16).padStart(HEX_DIGITS, "0");

/** Normalises an origin in followers' addresses, which others may write in several ways. */
const hostOf = (origin: string): string => hostIn(`${origin}/`) ?? "";

/** Returns the digests of a local account's followers; the database maintains them, so this is quick for any number. */
export const loadDigests = async (
  app: App,
  accountId: string,
  actorUri: string,
): Promise<FollowerDigests> => {
  const sums = new Map<string, bigint>();
  for (const { origin, digest } of await selectFollowerDigests(app.sql, accountId)) {
    const host = hostOf(origin);
    sums.set(host, (sums.get(host) ?? 0n) ^ BigInt(`0b${digest}`));
  }
  return { actorUri, byHost: new Map([...sums].map(([host, sum]) => [host, hexOf(sum)])) };
};

/** Returns the followers of a local account on a host. */
export const followersOn = async (app: App, accountId: string, host: string): Promise<string[]> => {
  const rows = await selectFollowerDigests(app.sql, accountId);
  const origins = rows.map(({ origin }) => origin).filter((origin) => hostOf(origin) === host);
  return origins.length === 0 ? [] : selectFollowersOf(app.sql, accountId, origins);
};

/** Returns the header for a server; null where none of the followers is there. */
export const syncHeader = ({ actorUri, byHost }: FollowerDigests, host: string): string | null => {
  const digest = byHost.get(host);
  if (digest === undefined) return null;
  const [collectionId, url] = [`${actorUri}/followers`, `${actorUri}/followers_synchronization`];
  return `collectionId="${collectionId}", digest="${digest}", url="${url}"`;
};

export type Claim = { collectionId: string; url: string; digest: string };

const MAX_HEADER = 8192;
const PARAMETER = /(collectionId|digest|url)="([^"]*)"/g;

/** Parses what another server says about its actor's followers here; null where nothing is usable. */
export const parseSyncHeader = (header: string): Claim | null => {
  if (header.length > MAX_HEADER) return null;
  const parameters = new Map(
    [...header.matchAll(PARAMETER)].map(([, name, value]) => [name, value]),
  );
  const [collectionId, url] = [
    httpUrl(parameters.get("collectionId")),
    httpUrl(parameters.get("url")),
  ];
  const digest = parameters.get("digest")?.toLowerCase() ?? "";
  return collectionId && url && /^[\da-f]{64}$/.test(digest) ? { collectionId, url, digest } : null;
};

/** Seconds between comparisons of an actor's followers. */
const PAUSE_SECONDS = 600;

/** Schedules a comparison; nothing is fetched where both agree. */
export const planSync = async (app: App, accountId: string, claim: Claim): Promise<void> => {
  if (!(await app.kv.add(`followers-sync:${accountId}`, "1", PAUSE_SECONDS))) return;
  const key = `followers-sync:${accountId}`;
  await app.jobs.add(app.sql, "followers.sync", { accountId, ...claim }, { key });
};

/** Pages of followers that are read; a page has at most a megabyte (MAX_DOCUMENT_BYTES). */
const MAX_PAGES = 10;
const MAX_ITEMS = 100_000;

/** Returns the XOR of the SHA-256 hashes of addresses. */
const digestOf = (uris: Iterable<string>): string => {
  const sum = Buffer.alloc(HEX_DIGITS / 2);
  for (const uri of uris) {
    const digest = createHash("sha256").update(uri).digest();
    for (let n = 0; n < sum.length; n += 1) sum[n]! ^= digest[n]!;
  }
  return sum.toString("hex");
};

type Listed = {
  uris: Set<string>;
  /** True when the list matches the claimed digest, so that whoever is missing does not follow. */
  isClaimed: boolean;
};

/** Reads the whole list; null where it is too long to be complete. */
const readAll = async (app: App, url: string, digest: string): Promise<Listed | null> => {
  const collection = await readCollection(app, url, url, {
    cause: "collection",
    maxItems: MAX_ITEMS,
    maxPages: MAX_PAGES,
  });
  const uris = collection?.isWhole ? idsOf(collection.items, MAX_ITEMS) : null;
  if (!uris) return null;
  const isClaimed = digestOf(new Set(uris)) === digest;
  return { uris: new Set(withPresentNames(app.config.site, uris)), isClaimed };
};

/**
 * Makes both servers agree on the followers here. A follow ends only by a list that matches the digest, and not while
 * the other server may know the follower by a former name, which the list does not have.
 */
const reconcile = async (
  app: App,
  targetId: string,
  { followers, listed }: { followers: LocalFollower[]; listed: Listed },
): Promise<void> => {
  for (const { id: accountId, uri, state, is_former: isFormer } of followers) {
    const pair = { accountId, targetId };
    const isListed = listed.uris.has(uri);
    if (isListed && state === "requested") await acceptFollow(app, pair);
    if (!isListed && state === "follows" && listed.isClaimed && !isFormer)
      await unfollow(app, pair);
    // The other server does not know that the follow ended.
    if (isListed && state === "none") {
      await app.jobs.add(app.sql, "account.unfollowed", { ...pair, uri: null });
    }
  }
};

/** Handles the job `followers.sync`. */
export const runFollowersSync = async (
  app: App,
  { accountId, collectionId, url, digest }: JobPayloads["followers.sync"],
): Promise<void> => {
  const actor = await selectActorForSync(app.sql, accountId);
  const isTheirs = actor && sameHost(url, actor.uri) && actor.followers_url === collectionId;
  if (!isTheirs || isLocalUri(app, url)) return;
  const bits = await selectLocalDigest(app.sql, accountId);
  if ((bits === null ? NOBODY : hexOf(BigInt(`0b${bits}`))) === digest) return;
  const listed = await nullUnlessTemporary(readAll(app, url, digest));
  if (!listed) return;
  const ours = [...listed.uris].filter((uri) => isLocalUri(app, uri));
  const followers = await selectLocalFollowers(app.sql, accountId, ours);
  await reconcile(app, accountId, { followers, listed });
};
