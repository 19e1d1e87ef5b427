// Counts users, posts and servers; the figures are cached, and the same everywhere (instance v1 and v2, NodeInfo,
// pages).

import type { App } from "../../../platform/app.ts";
import { cached } from "../../../platform/kv/cached.ts";
import { selectPeers, selectPeople } from "./queries.ts";

export type Figures = {
  users: number;
  /** People active in the last 30 and 180 days (NodeInfo's month and half-year). */
  activeMonth: number;
  activeHalfyear: number;
  localPosts: number;
  /** Number of other servers that are known. */
  domains: number;
};

/** Seconds of caching; shared caches add 15, so that nobody sees figures older than a minute. */
export const FIGURES_SECONDS = 45;
/** Seconds for which the names of all servers are cached, which are more expensive to read and change less. */
const PEERS_SECONDS = 300;
export const FIGURES_KEY = "instance:figures";
export const PEERS_KEY = "instance:peers";

const daysAgo = (app: App, days: number): Date =>
  new Date(app.clock.now().getTime() - days * 86_400_000);

/** Returns the names of known servers, in order. */
export const knownPeers = (app: App): Promise<string[]> =>
  cached(app, PEERS_KEY, PEERS_SECONDS, () => selectPeers(app.sql));

const countFigures = async (app: App): Promise<Figures> => {
  const [people, peers] = await Promise.all([
    selectPeople(app.sql, daysAgo(app, 30), daysAgo(app, 180)),
    knownPeers(app),
  ]);
  return {
    users: people.users,
    activeMonth: people.month,
    activeHalfyear: people.halfyear,
    localPosts: Number(people.posts),
    domains: peers.length,
  };
};

export const instanceFigures = (app: App): Promise<Figures> =>
  cached(app, FIGURES_KEY, FIGURES_SECONDS, () => countFigures(app));
