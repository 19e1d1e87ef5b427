// The commands `rookery domains …`: other servers with the software they report, and deliveries to one.

import { readDomain } from "../domain/base/blocklists/domains.ts";
import { allPeers, peersOf } from "../domain/base/peers/peers.ts";
import type { PeerRow } from "../domain/base/peers/peers.ts";
import { COMMAND_LINE } from "../domain/base/roles/permissions.ts";
import {
  resumeDeliveries,
  retryDeliveries,
  stopDeliveries,
} from "../federation/delivery/by-staff.ts";
import { ConfigError } from "../platform/errors.ts";
import { printRows } from "./print.ts";
import { withApp } from "./session.ts";

type PeerOptions = { software?: string; json?: boolean };

const line = ({ host, software, version, checked_at: at }: PeerRow): string =>
  [host, software ?? "?", version ?? "", at.toISOString()].join("\t");

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
