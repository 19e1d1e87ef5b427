// Estimates what a number of people cause in the busiest second of a day, and what a day leaves on the disk. Each
// assumption is a constant with its reason; what differs most between servers is asked (followers, the share of remote
// follows).

import { WRITE_SHARE } from "./figures.ts";
import type { Rates } from "./model.ts";

export type Community = {
  dailyUsers: number;
  /** Followers of an average author, who follows as many. */
  followers: number;
  /** Share of follows to and from other servers, from 0 to 1. */
  remote: number;
};

export type Demand = {
  /** Events per second in the busiest hour. `delivery` is what goes out to other servers. */
  rates: Rates;
  /** Other servers, and open apps, to which a post goes. */
  hosts: number;
  readers: number;
  openApps: number;
  /**
   * Bytes that a day adds to the database: those of local people stay for ever, those of others until they are too old.
   */
  ownBytes: number;
  remoteBytes: number;
  /** Bits per second to the internet, without media. */
  bits: number;
};

const DAY_SECONDS = 86_400;
/** Requests of an app in a day of daily use: a dozen visits of a dozen pages. */
export const REQUESTS_A_DAY = 150;
/** Factor of the busiest hour over the mean of a day. */
export const PEAK = 3;
/** Shares of what is written: posts and answers, boosts, favourites (the mix of the benchmark). */
const POSTS = 3 / 8;
const BOOSTS = 1 / 8;
const FAVOURITES = 4 / 8;
/** Share of a day's visitors who are there at the busiest time. */
const OPEN_SHARE = 0.2;
/**
 * Exponent of the number of servers of an author's followers, and of the number of followed remote accounts: many
 * followers share a server, and many follows an account, as in any long-tailed distribution.
 */
const HOSTS_POWER = 0.8;
const AUTHORS_POWER = 0.9;
const MOST_HOSTS = 30_000;
/** Posts, boosts, edits and deletions that a followed remote account sends in a day. */
const ACTS_ELSEWHERE = 5;
/** Answers, boosts and favourites from other servers, for a post with a hundred followers there. */
const ANSWERS = 3;
/** Share of activities that are stored as a post. */
const STORED_SHARE = 0.6;
/** Bytes of a post with all that belongs to it (`npm run bench -- --growth`). */
const STATUS_BYTES = 1230;
/** Bytes of a page of the API, compressed; of an activity with its headers; of a message to a socket. */
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
