// Measures reading: timelines, a thread, an account, notifications, the instance, and pages as browsers ask for them.
// The floor is a static fastify route that serves the same bytes.

import { randomUUID } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { load, requestBytes } from "../load.ts";
import type { Load } from "../load.ts";
import { whileWorking } from "../measure.ts";
import { repeats } from "../options.ts";
import { countQueries, settled } from "../server.ts";
import {
  localId,
  localName,
  remoteId,
  sessionOf,
  tagName,
  threadRootId,
  tokenOf,
} from "../world.ts";
import type { World } from "../world.ts";
import { CONNECTIONS, perCoreSecond, slowest } from "./scenario.ts";
import type { Aim, Bench, Scenario } from "./scenario.ts";

type Read = {
  name: string;
  /** Returns the path of request number `index`. */
  path: (world: World, index: number) => string;
  /** Returns whether the answer is the one to be measured: JSON, or the HTML of a page. */
  check: (answer: any, world: World) => boolean;
  signedIn?: boolean;
  isHtml?: boolean;
  /** Whether each request has an address of its own. */
  isNew?: boolean;
  aim?: Partial<Aim>;
};

const isPage = (json: unknown[]): boolean => json.length === 20;

const READS: Read[] = [
  { name: "home", path: () => "/api/v1/timelines/home", check: isPage, aim: { queries: 1 } },
  { name: "public", path: () => "/api/v1/timelines/public", check: isPage },
  {
    name: "hashtag",
    path: (world, index) =>
      `/api/v1/timelines/tag/${tagName(1 + (index % Math.min(10, world.tags)))}`,
    check: isPage,
  },
  {
    name: "account_statuses",
    path: (world, index) => `/api/v1/accounts/${localId(1 + (index % world.busyAuthors))}/statuses`,
    check: (json) => json.length >= 10,
  },
  {
    name: "thread",
    path: (world, index) => `/api/v1/statuses/${threadRootId(1 + (index % world.threads))}/context`,
    check: (json, world) => json.descendants.length === world.threadLength,
  },
  {
    name: "account",
    path: (world, index) => {
      const number = 1 + (index % Math.min(100, world.active));
      return `/api/v1/accounts/${index % 2 ? localId(number) : remoteId(number)}`;
    },
    check: (json) => typeof json.acct === "string",
  },
  {
    name: "notifications",
    path: () => "/api/v1/notifications",
    check: (json) => json.length === 40,
  },
  {
    name: "notifications_v2",
    path: () => "/api/v2/notifications",
    check: (json) => json.notification_groups.length >= 10,
  },
  {
    name: "verify_credentials",
    path: () => "/api/v1/accounts/verify_credentials",
    check: (json) => typeof json.source.privacy === "string",
  },
  {
    name: "instance",
    path: () => "/api/v2/instance",
    check: (json) => typeof json.domain === "string",
    signedIn: false,
  },
];

/** Returns whether a page has at least so many posts. */
const hasPosts =
  (least: number) =>
  (html: string): boolean =>
    html.split("<article").length > least;

const threadPage = (world: World, index: number): string => {
  const number = 1 + (index % world.threads);
  return `/@${localName(number)}/${threadRootId(number)}`;
};
const profilePage = (world: World, index: number): string =>
  `/@${localName(1 + (index % world.busyAuthors))}`;

/** Pages are for members, unless their names say visitors. Those of threads fold most branches. */
const PAGES: Read[] = [
  { name: "page_home", path: () => "/home", check: hasPosts(20) },
  { name: "page_thread", path: threadPage, check: hasPosts(8) },
  { name: "page_profile", path: profilePage, check: hasPosts(10) },
  { name: "page_thread_visitor", path: threadPage, check: hasPosts(8), signedIn: false },
  { name: "page_profile_visitor", path: profilePage, check: hasPosts(10), signedIn: false },
  {
    name: "page_profile_visitor_new",
    path: (world: World, index: number) => `${profilePage(world, index)}?new=${randomUUID()}`,
    check: hasPosts(10),
    signedIn: false,
    isNew: true,
  },
].map((page) => ({ ...page, isHtml: true, aim: { least: 0 } }));

const BROWSER = { accept: "text/html", "accept-encoding": "gzip, br" };

/** Returns the headers by which a reader asks. */
const askingAs = ({ signedIn = true, isHtml }: Read, viewer: number): Record<string, string> => ({
  ...(isHtml && BROWSER),
  ...(signedIn &&
    (isHtml
      ? { cookie: `rookery_session=${sessionOf(viewer)}` }
      : { authorization: `Bearer ${tokenOf(viewer)}` })),
});

const requestOf = (read: Read, world: World, index: number): Buffer =>
  requestBytes("GET", read.path(world, index), {
    host: world.host,
    headers: askingAs(read, 1 + (index % world.viewers)),
  });

const prepared = (read: Read, world: World): Buffer[] =>
  Array.from({ length: repeats(world.size, 200) }, (_, index) => requestOf(read, world, index));

/** Returns the answer of median length, which the floor serves. */
const typicalBody = async (bench: Bench, requests: Buffer[]): Promise<Buffer> => {
  const bodies: Buffer[] = [];
  await load({
    port: bench.server.port,
    connections: 1,
    count: repeats(bench.world.size, 15),
    request: (index) => requests[index % requests.length]!,
    onAnswer: ({ body }) => bodies.push(Buffer.from(body)),
  });
  return bodies.toSorted((a, b) => a.length - b.length)[bodies.length >> 1]!;
};

const scenarioOf = (bench: Bench, read: Read): Scenario => {
  const { world } = bench;
  const requests = prepared(read, world);
  const request = (index: number) =>
    read.isNew ? requestOf(read, world, index) : requests[index % requests.length]!;
  const connections = CONNECTIONS;
  const all = (count: number) =>
    load({ port: bench.server.port, connections, count, request }).then(() => undefined);
  return {
    name: read.name,
    rows: [
      { name: read.name, unit: "requests/core s", aim: { of: "ratio", least: 0.25, ...read.aim } },
    ],
    async prepare() {
      const body = await typicalBody(bench, requests);
      const text = (read.isHtml ? brotliDecompressSync(body) : body).toString("utf8");
      if (!read.check(read.isHtml ? text : JSON.parse(text), world)) {
        throw new Error(`${read.name} does not answer what it should: ${text.slice(0, 500)}`);
      }
      await all(requests.length * 2);
    },
    async run() {
      await settled(bench.server);
      const { port, pid } = bench.server;
      const { seconds } = bench;
      // The other scenarios took minutes: cached rows have expired, and feeds were dropped.
      await all(requests.length);
      await load({ port, connections, seconds: seconds / 4, request });
      const { result, cpu } = await whileWorking([pid], () =>
        load({ port, connections, seconds, request }),
      );
      return { [read.name]: perCoreSecond(result.count, cpu, result.latencies) };
    },
    async floor() {
      const { still, seconds } = bench;
      await still.ask("serve", (await typicalBody(bench, requests)).toString("base64"));
      const port = await still.ask<number>("port");
      const plain = requestBytes("GET", "/", { host: world.host });
      const again = { port, connections, request: () => plain };
      await load({ ...again, seconds: seconds / 4 });
      const { result, cpu } = await whileWorking([still.pid], () => load({ ...again, seconds }));
      return { [read.name]: result.count / cpu.total };
    },
    async queries() {
      await all(requests.length);
      const count = await countQueries(bench.server, false, () => all(requests.length));
      return { [read.name]: count / requests.length };
    },
  };
};

const FIRST_BYTE = "page_first_byte";
const BESIDE = "page_api_p99";
/** Requests a second: of pages that nobody else delays, and of homes beside requests of the API. */
const PACE = { alone: 50, homes: 300, api: 100 };

/** Measures when pages begin while little is asked, and how long the API takes while many homes are drawn. */
const pagesScenario = (bench: Bench): Scenario => {
  const { world, seconds, server } = bench;
  const pages = PAGES.slice(0, 3).flatMap((page) => prepared(page, world));
  const homes = prepared(PAGES[0]!, world);
  const reads = READS.flatMap((read) => prepared(read, world));
  const come = (requests: Buffer[], perSecond: number, onAnswer?: Load["onAnswer"]) =>
    load({
      port: server.port,
      connections: 8 * CONNECTIONS,
      perSecond,
      seconds: 2 * seconds,
      request: () => requests[Math.floor(Math.random() * requests.length)]!,
      ...(onAnswer && { onAnswer }),
    });
  return {
    name: "page_pace",
    rows: [
      { name: FIRST_BYTE, unit: "ms", aim: { of: "value", most: 5 } },
      { name: BESIDE, unit: "ms", aim: { of: "value", most: 25 } },
    ],
    async run() {
      const firsts: number[] = [];
      await come(reads, PACE.api);
      await come(pages, PACE.alone);
      await come(pages, PACE.alone, ({ first }) => firsts.push(first));
      const { p50 = 0, p99 = 0 } = slowest(firsts);
      const [{ latencies }] = await Promise.all([come(reads, PACE.api), come(homes, PACE.homes)]);
      return { [FIRST_BYTE]: { value: p50, p50, p99 }, [BESIDE]: slowest(latencies) };
    },
  };
};

export const readScenarios = (bench: Bench): Scenario[] => [
  ...[...READS, ...PAGES].map((read) => scenarioOf(bench, read)),
  pagesScenario(bench),
];
