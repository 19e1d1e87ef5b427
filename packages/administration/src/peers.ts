// The commands `rookery domains …`: other servers with the software they report, and deliveries to one.

import {
  COMMAND_LINE,
  ConfigError,
  peersOf,
  readDomain,
  resumeDeliveries,
  retryDeliveries,
  stopDeliveries,
  withApp,
} from "./uses.ts";
import type { App, PeerRow } from "./uses.ts";
import { printRows } from "./print.ts";
import { selectPeers } from "./queries.ts";

type PeerOptions = { software?: string; json?: boolean };

const line = ({ host, software, version, checked_at: at }: PeerRow): string =>
  [host, software ?? "?", version ?? "", at.toISOString()].join("\t");

const PAGE = 1000;

/** Yields all servers by name; with `software`, those that run it. */
const allPeers = async function* (app: App, software: string | null): AsyncGenerator<PeerRow> {
  for (let after = ""; ;) {
    const rows = await selectPeers(app.sql, { software, after, limit: PAGE });
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.host;
  }
};

export const listPeers = (domain: string | undefined, options: PeerOptions): Promise<void> =>
  withApp(async (app) => {
    const software = options.software?.toLowerCase() ?? null;
    if (domain === undefined) {
      return printRows(await Array.fromAsync(allPeers(app, software)), options.json, line);
    }
    const read = readDomain(domain);
    if (read === null) throw new ConfigError(`${domain} is not a domain.`);
    const rows = await peersOf(app, read);
    const peers = rows.filter((row) => software === null || row.software === software);
    printRows(peers, options.json, line);
  });

const DELIVERIES = {
  retry: retryDeliveries,
  stop: stopDeliveries,
  resume: resumeDeliveries,
} as const;

/** `host` is where the server's inboxes are. */
export const deliveriesCommand = (act: keyof typeof DELIVERIES, host: string): Promise<void> =>
  withApp(async (app) => {
    const read = readDomain(host);
    if (read === null) throw new ConfigError(`${host} is not a domain.`);
    await DELIVERIES[act](app, COMMAND_LINE, read);
    console.log("OK");
  });
