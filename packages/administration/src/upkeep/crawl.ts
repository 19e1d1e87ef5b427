// The command `rookery domains crawl` lists servers and their sizes by what known servers say of others.

import {
  ConfigError,
  FetchFailed,
  FetchRefused,
  knownPeers,
  originOf,
  progressLine,
  readDomain,
  refusedAmong,
  withApp,
} from "../uses.ts";
import type { App } from "../uses.ts";

const AT_ONCE = 8;
const TIMEOUT_MS = 5000;
/** Bytes of a list of peers; servers name tens of thousands of others. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NAMES = 100_000;

type ServerFacts = { domain: string; users: number; posts: number; peers: number };

const ask = async (app: App, domain: string, path: string): Promise<unknown> => {
  const answer = await app.fetch.request(`${originOf(app, domain)}${path}`, {
    headers: { accept: "application/json" },
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status !== 200) return null;
  try {
    return JSON.parse(answer.body.toString("utf8"));
  } catch {
    return null;
  }
};

const count = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : 0;

const peersIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((peer) => {
    const domain = typeof peer === "string" && peer.length < 256 ? readDomain(peer) : null;
    return domain === null ? [] : [domain];
  });

/** Returns null for a server that does not answer, or has no such API. */
const visit = async (
  app: App,
  domain: string,
): Promise<(ServerFacts & { names: string[] }) | null> => {
  try {
    const about = (await ask(app, domain, "/api/v1/instance")) as { stats?: object } | null;
    if (typeof about?.stats !== "object") return null;
    const stats = about.stats as { user_count?: unknown; status_count?: unknown };
    const names = peersIn(await ask(app, domain, "/api/v1/instance/peers"));
    const [users, posts] = [count(stats.user_count), count(stats.status_count)];
    return { domain, users, posts, peers: names.length, names };
  } catch (error) {
    if (error instanceof FetchFailed || error instanceof FetchRefused) return null;
    throw error;
  }
};

type CrawlOptions = { max: number; json?: boolean };

/** Visits servers breadth first, some at a time; each gets two requests. */
const crawl = async (app: App, first: string[], { max, json }: CrawlOptions): Promise<void> => {
  const names = [...first];
  const known = new Set(first);
  const results: ServerFacts[] = [];
  const line = progressLine();
  let [at, visited] = [0, 0];
  const crawl = async (domain: string): Promise<void> => {
    const server = await visit(app, domain);
    if (server === null) return;
    const { names: more, ...facts } = server;
    results.push(facts);
    for (const name of more.filter((name) => !known.has(name))) {
      if (known.size >= MAX_NAMES) return;
      known.add(name);
      names.push(name);
    }
  };
  while (at < names.length && visited < max) {
    const wave = names.slice(at, at + Math.min(AT_ONCE, max - visited));
    at += wave.length;
    const refused = await refusedAmong(app, wave);
    const open = wave.filter((name) => !refused.has(name));
    await Promise.all(open.map(crawl));
    visited += open.length;
    line.show(`${visited} servers visited, ${names.length} known`);
  }
  line.clear();
  if (visited > 0 && results.length === 0) {
    console.error("No server answered.");
    process.exitCode = 1;
  }
  const all = { visited, answered: results.length, known: names.length };
  if (json) return console.log(JSON.stringify({ ...all, servers: results }, null, 2));
  for (const { domain, users, posts, peers } of results) {
    console.log([domain, `${users} users`, `${posts} posts`, `${peers} peers`].join("\t"));
  }
  console.log(`${results.length} of ${visited} servers answered, ${names.length} were named`);
};

export const crawlCommand = (start: string | undefined, options: CrawlOptions): Promise<void> => {
  const domain = start === undefined ? null : readDomain(start);
  if (start !== undefined && domain === null) throw new ConfigError(`"${start}" is not a domain.`);
  return withApp(async (app) =>
    crawl(app, domain === null ? await knownPeers(app) : [domain], options),
  );
};
