// Computes from the demand and the costs which processes, cores, memory, connections and storage are needed, what fills
// first, and where the design ends. A simulation (model.ts) says how long people wait.

import { demandOf } from "./demand.ts";
import type { Community, Demand } from "./demand.ts";
import { times } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { comeByChance, Model } from "./model.ts";
import type { Audience, Layout, Outcome, Rates, Work } from "./model.ts";

/** Utilisation in the busiest hour that no part may exceed, since queues grow long beyond it. */
const MOST_BUSY = 0.6;
/** Factors by which operations cost more with several processes than with one (docs/SCALING.md). */
const SPLIT = { request: 1.4, write: 1.9, activity: 1.85, delivery: 1, event: 1 };
/** Milliseconds of Valkey's one thread for a request, or for what follows from one. */
const VALKEY_MS = 0.09;
/** Kilobytes in Valkey for each person who was there in the last day. */
const VALKEY_KILOBYTES = 5;
const SOCKETS_A_PROCESS = 10_000;
/** Connections of each process: docs/SCALING.md, "Connections to PostgreSQL". */
const CONNECTIONS = { alone: 6, process: 4, worker: 2 };
/** Cores of the largest machine for PostgreSQL that can be rented anywhere. */
const POSTGRES_CORES = 64;
const REMOTE_DAYS = 90;
/** Days of writes that are read again and again. */
const HOT_DAYS = 7;
/** Requests per second that are simulated: of a larger server a part is enough to see its queues. */
const SIMULATED_RATE = 1500;
const SIMULATED_REQUESTS = 20_000;
const LEAST_SECONDS = 30;

export type Need = {
  part: "web" | "worker" | "streaming" | "postgres" | "valkey";
  /** Cores that are busy in the busiest hour. */
  busy: number;
  /** Number of processes, or of PostgreSQL's cores. */
  count: number;
  /** Utilisation of these, from 0 to 1. */
  share: number;
};

export type Plan = {
  community: Community;
  demand: Demand;
  layout: Layout;
  needs: Need[];
  /** Cores of the machine, or of all of them together. */
  cores: number;
  memoryMegabytes: number;
  valkeyMegabytes: number;
  connections: number;
  /** Bytes of the database after a year, with what is kept of other servers. */
  yearBytes: number;
  outcome: Outcome;
  fillsFirst: Need;
  /** People per day that fill the largest PostgreSQL, of which only one can write. */
  end: number;
};

/** Returns the cores for a rate. */
const coresOf = (perSecond: number, ms: number): number => (perSecond * ms) / 1000;

const splitWork = (work: Work): Work => ({
  ...work,
  read: times(work.read, SPLIT.request),
  write: times(work.write, SPLIT.write),
  follow: times(work.follow, SPLIT.write),
  accept: times(work.accept, SPLIT.activity),
  activity: times(work.activity, SPLIT.activity),
});

/** Subtracts the deliveries that a post's cost already includes. */
const ratesOf = ({ rates }: Demand, { deliveriesIncluded }: Figures): Rates => ({
  ...rates,
  delivery: Math.max(0, rates.delivery - (rates.write / 2) * deliveriesIncluded),
});

type Busy = Record<Need["part"], number>;

const busyOf = (rates: Rates, work: Work): Busy => ({
  web:
    coresOf(rates.read, work.read.node) +
    coresOf(rates.write, work.write.node) +
    coresOf(rates.activity, work.accept.node),
  worker:
    coresOf(rates.write, work.follow.node) +
    coresOf(rates.activity, work.activity.node) +
    coresOf(rates.delivery, work.delivery.node),
  streaming: coresOf(rates.event, work.event.node),
  postgres:
    coresOf(rates.read, work.read.postgres) +
    coresOf(rates.write, work.write.postgres + work.follow.postgres) +
    coresOf(rates.activity, work.accept.postgres + work.activity.postgres) +
    coresOf(rates.delivery, work.delivery.postgres),
  valkey: coresOf(rates.read + rates.write * 2 + rates.activity, VALKEY_MS),
});

const enough = (busy: number, least = 1): number => Math.max(least, Math.ceil(busy / MOST_BUSY));

/**
 * Returns the layout: one process as long as it is not too busy; otherwise at least two of each, so that one may be
 * lost.
 */
const layoutOf = ({ web, worker, streaming, postgres }: Busy, openApps: number): Layout | null => {
  const together = web + worker + streaming;
  if (together > MOST_BUSY || openApps > SOCKETS_A_PROCESS) return null;
  const cores = Math.max(1, Math.ceil((together + postgres) / MOST_BUSY));
  return { web: 1, workers: 1, streaming: 1, together: true, postgres: cores, cores };
};

const severalOf = (busy: Busy, openApps: number): Layout => ({
  web: enough(busy.web, 2),
  workers: enough(busy.worker, 2),
  streaming: Math.max(enough(busy.streaming, 2), Math.ceil(openApps / SOCKETS_A_PROCESS)),
  together: false,
  postgres: enough(busy.postgres, 2),
  cores: null,
});

const needsOf = (busy: Busy, layout: Layout): Need[] => {
  const need = (part: Need["part"], busyCores: number, count: number): Need => ({
    part,
    busy: busyCores,
    count,
    share: busyCores / count,
  });
  if (layout.together) {
    return [
      need("web", busy.web + busy.worker + busy.streaming, 1),
      need("postgres", busy.postgres, layout.postgres),
    ];
  }
  return [
    need("web", busy.web, layout.web),
    need("worker", busy.worker, layout.workers),
    need("streaming", busy.streaming, layout.streaming),
    need("postgres", busy.postgres, layout.postgres),
    // More than one node is a cluster.
    need("valkey", busy.valkey, enough(busy.valkey)),
  ];
};

/** Simulates a part of a larger server, with that share of its people and processes. */
const simulate = (layout: Layout, work: Work, rates: Rates, audience: Audience): Outcome => {
  const requests = rates.read + rates.write;
  const part = layout.together ? 1 : Math.min(1, SIMULATED_RATE / requests);
  const shareOf = (count: number): number => Math.max(1, Math.round(count * part));
  const smaller: Layout = {
    ...layout,
    web: shareOf(layout.web),
    workers: shareOf(layout.workers),
    streaming: shareOf(layout.streaming),
    postgres: shareOf(layout.postgres),
  };
  const model = new Model(smaller, work);
  const share = smaller.web / layout.web;
  const smallerRates = Object.fromEntries(
    Object.entries(rates).map(([kind, rate]) => [kind, rate * share]),
  ) as Rates;
  comeByChance(model, smallerRates, audience);
  return model.run(Math.max(LEAST_SECONDS, SIMULATED_REQUESTS / (requests * share)));
};

/**
 * Returns by which factor the server can grow: everything else grows by another process, but only one PostgreSQL
 * writes.
 */
const endOf = (busy: Busy): number => (POSTGRES_CORES * MOST_BUSY) / busy.postgres;

export const planFor = (community: Community, figures: Figures): Plan => {
  const demand = demandOf(community);
  const rates = ratesOf(demand, figures);
  const single = layoutOf(busyOf(rates, figures.work), demand.openApps);
  const work = single ? figures.work : splitWork(figures.work);
  const busy = busyOf(rates, work);
  const layout = single ?? severalOf(busy, demand.openApps);
  const needs = needsOf(busy, layout);
  const processes = layout.together ? 1 : layout.web + layout.workers + layout.streaming;
  const connections = layout.together
    ? CONNECTIONS.alone + CONNECTIONS.worker
    : processes * CONNECTIONS.process + layout.workers * CONNECTIONS.worker;
  const kept = demand.ownBytes * 365 + demand.remoteBytes * REMOTE_DAYS;
  const hot = (demand.ownBytes + demand.remoteBytes) * HOT_DAYS;
  return {
    community,
    demand,
    layout,
    needs,
    cores: layout.cores ?? Math.ceil(needs.reduce((sum, { count }) => sum + count, 0)),
    memoryMegabytes:
      processes * figures.processMegabytes +
      figures.postgresMegabytes +
      (demand.openApps * figures.socketKilobytes) / 1024 +
      hot / 1024 ** 2,
    valkeyMegabytes: layout.together ? 0 : (community.dailyUsers * VALKEY_KILOBYTES) / 1024,
    connections,
    yearBytes: kept,
    outcome: simulate(layout, work, rates, { hosts: demand.hosts, sockets: demand.readers }),
    fillsFirst: needs.toSorted((a, b) => b.share - a.share)[0]!,
    end: community.dailyUsers * endOf(busyOf(rates, splitWork(figures.work))),
  };
};
