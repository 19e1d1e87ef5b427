// What so many people bring in the busiest second of a day, and what a day leaves on the disk. Each assumption is a
// constant with its reason; what differs most from server to server is asked (followers, the share of other servers).

import { WRITE_SHARE } from "./figures.ts";
import type { Rates } from "./model.ts";

export type Community = {
  dailyUsers: number;
  /** Of an author, on the average; as many are followed. */
  followers: number;
  /** The part of follows that goes to other servers or comes from there, from 0 to 1. */
  remote: number;
};

export type Demand = {
  /** In the busiest hour, a second. Of what is written, `delivery` is what goes out to other servers. */
  rates: Rates;
  /** Other servers, and open apps, to which a post goes. */
  hosts: number;
  readers: number;
  openApps: number;
  /** Bytes that a day adds to the database: our people's for ever, others' until they are too old. */
  ownBytes: number;
  remoteBytes: number;
  /** Bits a second to the world, without media. */
  bits: number;
};

const DAY_SECONDS = 86_400;
/** What an app asks for in a day of somebody who uses it daily: a dozen visits of a dozen pages. */
export const REQUESTS_A_DAY = 150;
/** The busiest hour has so many times the mean of a day. */
export const PEAK = 3;
/** Of what is written: posts and answers, boosts, favourites (the mix of the benchmark). */
const POSTS = 3 / 8;
const BOOSTS = 1 / 8;
const FAVOURITES = 4 / 8;
/** Of those who come in a day, at the busiest time. */
const OPEN_SHARE = 0.2;
/**
 * Followers on other servers are on fewer servers than they are, and the accounts that are followed by many people are
 * fewer than their follows: a power of the number, as for all that has a long tail.
 */
const HOSTS_POWER = 0.8;
const AUTHORS_POWER = 0.9;
const MOST_HOSTS = 30_000;
/** What an account elsewhere that is followed from here does in a day and sends: posts, boosts, edits, deletions. */
const ACTS_ELSEWHERE = 5;
/** Answers, boosts and favourites from elsewhere, for a post with a hundred followers there. */
const ANSWERS = 3;
/** Of activities, those that are stored as a post. */
const STORED_SHARE = 0.6;
/** A post with all that comes with it (`npm run bench -- --growth`). */
const STATUS_BYTES = 1230;
/** A page of the API, compressed; an activity with its headers; a message to a socket. */
const PAGE_BYTES = 9000;
const ACTIVITY_BYTES = 4000;
const EVENT_BYTES = 2500;

export const demandOf = ({ dailyUsers, followers, remote }: Community): Demand => {
  const aDay = dailyUsers * REQUESTS_A_DAY;
  const writes = aDay * WRITE_SHARE;
  const posts = writes * POSTS;
  const told = writes * (POSTS + BOOSTS);
  const away = followers * remote;
  const hosts = Math.min(MOST_HOSTS, away ** HOSTS_POWER);
  const deliveries = told * hosts + writes * FAVOURITES * remote;
  const follows = dailyUsers * away;
  const authors = follows ** AUTHORS_POWER;
  const activities = authors * ACTS_ELSEWHERE + posts * ANSWERS * (away / 100);
  const openApps = dailyUsers * OPEN_SHARE;
  const readers = followers * (1 - remote) * OPEN_SHARE;
  const readersOfOne = authors > 0 ? (follows / authors) * OPEN_SHARE : 0;
  const events = told * readers + activities * STORED_SHARE * readersOfOne;
  const atPeak = (perDay: number): number => (perDay * PEAK) / DAY_SECONDS;
  const rates: Rates = {
    read: atPeak(aDay - writes),
    write: atPeak(writes),
    activity: atPeak(activities),
    delivery: atPeak(deliveries),
    event: atPeak(events),
  };
  const bytes =
    rates.read * PAGE_BYTES + rates.delivery * ACTIVITY_BYTES + rates.event * EVENT_BYTES;
  return {
    rates,
    hosts,
    readers,
    openApps,
    ownBytes: (posts + writes * BOOSTS) * STATUS_BYTES,
    remoteBytes: activities * STORED_SHARE * STATUS_BYTES,
    bits: bytes * 8,
  };
};
