// Remembers the software and version of other servers, which federation reads from their NodeInfo when it meets an
// actor: at most once a week, or once a day while nothing is known.

import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { claimPeer, selectPeersOf, selectSoftware, updatePeer } from "./queries.ts";
import type { PeerRow } from "./queries.ts";

export type { PeerRow };

const CHECK_DAYS = 7;
/** Days before a server that did not answer is asked again; its software decides what is sent to it. */
const UNKNOWN_DAYS = 1;
/** Servers that are shown below one domain. */
const MAX_SHOWN = 20;

/** Returns whether a server has to be asked now, and counts it as asked. */
export const claimCheck = (app: App, host: string): Promise<boolean> => {
  const now = app.clock.now();
  const before = addDays(now, -CHECK_DAYS);
  return claimPeer(app.sql, host, { now, before, unknownBefore: addDays(now, -UNKNOWN_DAYS) });
};

export type Software = Pick<PeerRow, "software" | "version">;

export const storePeer = async (app: App, host: string, said: Software): Promise<void> => {
  await updatePeer(app.sql, host, said);
};

/** Returns the software by host, of hosts that are known. */
export const softwareOf = async (app: App, hosts: string[]): Promise<Map<string, Software>> => {
  const rows = await selectSoftware(app.sql, hosts);
  return new Map(rows.map((row) => [row.host, row]));
};

/** Returns the server with this domain and those below it, as many as are shown. */
export const peersOf = async (app: App, domain: string): Promise<PeerRow[]> =>
  selectPeersOf(app.sql, domain, MAX_SHOWN);

/** Writes `mastodon 4.5.1`; empty where nothing is known. */
export const softwareText = ({ software, version }: Software): string =>
  software === null ? "" : [software, version].filter(Boolean).join(" ");
