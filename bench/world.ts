// The plan of the filled world: how many accounts and statuses it has, with which names and ids. Everything follows
// from numbers, so that a scenario knows what the bulk SQL in queries-fill.ts has inserted.

import { parsePrivateKey } from "../src/federation/signatures/keys.ts";
import type { Sql } from "../src/platform/db/index.ts";
import { TEST_KEYS } from "../test/keys.ts";
import { withoutIndexes } from "./queries-fill-indexes.ts";
import {
  insertLaterMarks,
  insertLaterNotifications,
  insertMarks,
  insertNotificationGroups,
  insertNotifications,
} from "./queries-fill-marks.ts";
import * as queries from "./queries-fill.ts";
import { hostAddress } from "./receivers.ts";

/** Numbers of the world at size 1. */
const FULL = {
  active: 2000,
  remote: 20_000,
  statuses: 200_000,
  followed: 10_000,
  readers: 1000,
  signers: 2000,
  hosts: 200,
  sockets: 5000,
  viewers: 200,
  threads: 50,
  tags: 500,
};

export type World = ReturnType<typeof planWorld>;

const scaled = (size: number) => (count: number, least: number) =>
  Math.max(least, Math.round(count * size));

/** Returns how many of the first local authors have about 30 statuses or more; see bench.tail in the SQL. */
const busyAuthorsOf = (statuses: number, active: number): number =>
  Math.max(1, Math.min(50, Math.floor((statuses / 4 / 60) ** 2 / active)));

/** `wantedStatuses` overrides the number of the size, for the growth run. */
export const planWorld = (
  size: number,
  port: number,
  receiverPort: number,
  wantedStatuses?: number,
) => {
  const of = scaled(size);
  const statuses = wantedStatuses ?? of(FULL.statuses, 2000);
  const viewers = of(FULL.viewers, 4);
  const active = of(FULL.active, 40);
  // These follow the account with 10,000 followers: all local people but the viewers.
  const followed = of(FULL.followed, 100);
  const people = viewers + followed;
  return {
    size,
    port,
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    receiverPort,
    viewers,
    active,
    followed,
    /** Local people, numbered from 1: viewers, other active ones, and those who only follow. */
    people,
    /** Accounts that post in the scenarios: 16 with `readers` local followers, besides the three below. */
    authors: 16,
    readers: of(FULL.readers, 10),
    remote: of(FULL.remote, 200),
    signers: of(FULL.signers, 20),
    hosts: of(FULL.hosts, 4),
    statuses,
    /** Authors with full pages; they stay the same when statuses are added. */
    busyAuthors: busyAuthorsOf(statuses, active),
    threads: of(FULL.threads, 4),
    tags: of(FULL.tags, 20),
    sockets: of(FULL.sockets, 10),
    followsOfViewer: 500,
    threadLength: 60,
  };
};

// Returns the number of an account that posts; they are numbered after the people.
export const authorNumber = (world: World, index: number): number => world.people + 1 + index;
/** Returns the account with 10,000 local followers. */
export const hubNumber = (world: World): number => world.people + 17;
/** Returns the account with 2,000 remote followers, each with an inbox of its own. */
export const courierNumber = (world: World): number => world.people + 18;
/** Returns the account without followers, whose posts only go to the public streams. */
export const crierNumber = (world: World): number => world.people + 19;
/** Accounts with a remote follower on each host of a set of their own, with a shared inbox. */
export const NEWS = ["plain", "sharing"] as const;
export type News = (typeof NEWS)[number];
export const newsNumber = (world: World, kind: News): number =>
  world.people + 20 + NEWS.indexOf(kind);
const locals = (world: World): number => world.people + 21;
/** Returns the number of all hosts, with those besides the signers'. */
export const allHosts = (world: World): number => world.hosts * (1 + NEWS.length);

const ACCOUNTS_FROM = Date.UTC(2024, 0);
const STATUSES_FROM = Date.UTC(2025, 0);
const THREADS_FROM = Date.UTC(2024, 11);
/** Milliseconds between two statuses: 10,000,000 of them end in August 2026. */
const STATUS_STEP_MS = 5_000;
const MINUTE_MS = 60_000;

const idAt = (ms: number, low: number): string => String((BigInt(ms) << 16n) | BigInt(low));

export const localId = (number: number): string => idAt(ACCOUNTS_FROM + number * MINUTE_MS, 0);
export const remoteId = (number: number): string => idAt(ACCOUNTS_FROM + number * MINUTE_MS, 1);
export const threadRootId = (number: number): string =>
  idAt(THREADS_FROM + number * MINUTE_MS * 100, 0);

export const localName = (number: number): string => `u${number}`;
export const tokenOf = (number: number): string => `bench-token-${number}`;
/** Returns the token in the cookie of a viewer's browser. */
export const sessionOf = (number: number): string => `bench-session-${number}`;
export const tagName = (number: number): string => `topic${number}`;

export type Signer = { uri: string; keyId: string; host: string };

/** Returns remote account `number` (from 1), one of those whose private key the benchmark has. */
export const signerOf = (world: World, number: number): Signer => {
  const host = `${hostAddress((number - 1) % world.hosts)}:${world.receiverPort}`;
  const uri = `http://${host}/users/r${number}`;
  return { uri, keyId: `${uri}#main-key`, host };
};

const keyNumber = (number: number): number => number % TEST_KEYS.length;
export const signerPublicKey = (number: number): string =>
  TEST_KEYS[keyNumber(number)]!.publicKeyPem;
export const signerPrivateKey = (number: number) =>
  parsePrivateKey(TEST_KEYS[keyNumber(number)]!.privateKeyPem);

/** Returns the hosts of the followers of `news`. */
export const newsHosts = (world: World, kind: News): string[] =>
  Array.from(
    { length: world.hosts },
    (_, n) => `${hostAddress(world.hosts * (1 + NEWS.indexOf(kind)) + n)}:${world.receiverPort}`,
  );

/** Returns the plan as parameters of the SQL. */
const fillValues = (world: World): queries.Fill => ({
  ...world,
  locals: locals(world),
  firstAuthor: authorNumber(world, 0),
  hub: hubNumber(world),
  courier: courierNumber(world),
  accountsFrom: ACCOUNTS_FROM,
  statusesFrom: STATUSES_FROM,
  threadsFrom: THREADS_FROM,
  statusStep: STATUS_STEP_MS,
  publicKeys: TEST_KEYS.map((pair) => pair.publicKeyPem),
  privateKeys: TEST_KEYS.map((pair) => pair.privateKeyPem),
});

/** Inserts the world; `sql` is a superuser's, because it switches off triggers. Returns the seconds it took. */
export const fillWorld = async (sql: Sql, world: World): Promise<number> => {
  const began = performance.now();
  const values = fillValues(world);
  const connection = await sql.reserve();
  try {
    await queries.prepare(connection);
    await queries.insertAccounts(connection, values);
    await queries.insertFollows(connection, values);
    for (const [n, kind] of NEWS.entries()) {
      const hosts = newsHosts(world, kind);
      await queries.insertNewsReaders(connection, newsNumber(world, kind), hosts, n * world.hosts);
    }
    await queries.insertSharingPeers(connection, newsHosts(world, "sharing"));
    await queries.insertTags(connection, values);
    await queries.insertThreads(connection, values);
    await queries.insertStatuses(connection, values, 1, world.statuses);
    await queries.insertParts(connection, values, 1, world.statuses);
    await insertMarks(connection, values);
    await insertNotifications(connection, values);
    await insertNotificationGroups(connection);
    await queries.finish(connection);
  } finally {
    connection.release();
  }
  return (performance.now() - began) / 1000;
};

/** Statuses added at a time, so that sorts and joins of them stay small. */
const SLICE = 500_000;

/** Adds statuses to a filled world: those after `before` up to `world.statuses`. */
export const growWorld = async (sql: Sql, world: World, before: number): Promise<void> => {
  const connection = await sql.reserve();
  try {
    const values = fillValues(world);
    await queries.prepare(connection);
    await withoutIndexes(connection, async () => {
      for (let from = before + 1; from <= world.statuses; from += SLICE) {
        const to = Math.min(world.statuses, from + SLICE - 1);
        await queries.insertStatuses(connection, values, from, to);
        await queries.insertParts(connection, values, from, to);
        await insertLaterMarks(connection, values, from, to);
        await insertLaterNotifications(connection, values, from, to);
      }
    });
    await insertNotificationGroups(connection);
    await queries.finish(connection);
  } finally {
    connection.release();
  }
};
