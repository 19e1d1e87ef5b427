// Lists servers that accounts are known of. Their figures are counted once a day in slices, since nobody can wait for
// that on a page.

import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import {
  countServers,
  deleteForgottenServers,
  selectDomainsAfter,
  selectServer,
  selectServers,
  selectServerTotals,
  selectSizes,
  selectSoftware,
  selectUncounted,
  sumRemoteFiles,
  upsertServers,
} from "./queries-servers.ts";
import type {
  CountedServer,
  NewServer,
  ServerFilter,
  ServerRow,
  ServerTotals,
  SizePart,
  SoftwarePart,
} from "./queries-servers.ts";

export { COUNTED_CAP, SERVER_ORDERS, SERVER_STATES } from "./queries-servers.ts";
export type { ServerFilter, ServerOrder, ServerRow, ServerState } from "./queries-servers.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Count the next servers after this domain. */
    "servers.count": { after?: string };
  }
}

const PIECE = 200;
/** Days between two counts of a server. The job runs every hour, so that new servers are counted soon. */
const COUNTED_DAYS = 0.95;

const withMedia = async (app: App, counted: readonly CountedServer[]): Promise<NewServer[]> => {
  const servers = counted.map((row) => ({
    ...row,
    host: row.host ?? row.domain,
    media_hosts: [...new Set([row.domain, ...row.media_hosts])],
  }));
  const hosts = new Set(servers.flatMap((row) => row.media_hosts));
  const sums = await sumRemoteFiles(app.sql, [...hosts]);
  const bytes = new Map(sums.map((row) => [row.host, BigInt(row.bytes)]));
  return servers.map((row) => {
    const all = row.media_hosts.reduce((sum, host) => sum + (bytes.get(host) ?? 0n), 0n);
    return { ...row, media_bytes: String(all) };
  });
};

/** Handles the job `servers.count`: counts a slice each time, and finally deletes forgotten servers. */
export const countServersDue = async (app: App, { after = "" }: { after?: string }) => {
  const now = app.clock.now();
  const domains = await selectDomainsAfter(app.sql, after, PIECE);
  const due = await selectUncounted(app.sql, domains, addDays(now, -COUNTED_DAYS));
  if (due.length > 0) {
    await upsertServers(app.sql, await withMedia(app, await countServers(app.sql, due)), now);
  }
  if (domains.length < PIECE) await deleteForgottenServers(app.sql);
  else await app.jobs.add(app.sql, "servers.count", { after: domains.at(-1)! }, COUNT_OPTIONS);
};

/** Keeps one job in the queue, with a lower priority than all others. */
export const COUNT_OPTIONS = { key: "servers.count", priority: 10 };

export const listServers = async (app: App, filter: ServerFilter, limit: number) => [
  ...(await selectServers(app.sql, filter, limit)),
];

/** Returns null where no account of it was known when servers were counted. */
export const findServer = (app: App, domain: string, db: Db = app.sql): Promise<ServerRow | null> =>
  selectServer(db, domain);

/** Returns the most frequent software; null stands for servers that do not say, or were not asked. */
export const softwareOfServers = async (app: App, limit: number): Promise<SoftwarePart[]> => [
  ...(await selectSoftware(app.sql, limit)),
];

/** Counts servers by powers of ten of their known accounts. */
export const sizesOfServers = async (app: App): Promise<SizePart[]> => [
  ...(await selectSizes(app.sql)),
];

export const serverTotals = (app: App, goneSince: Date): Promise<ServerTotals> =>
  selectServerTotals(app.sql, goneSince);
