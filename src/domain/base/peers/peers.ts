// What is known of other servers: their software and its version, as their NodeInfo says. Federation reads that when an
// actor of the server is met, at most once a week; once a day while nothing is known.

import type { App } from "../../../platform/app.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import {
  claimPeer,
  deletePeersBefore,
  selectPeers,
  selectPeersOf,
  selectSoftware,
  updatePeer,
} from "./queries.ts";
import type { PeerRow } from "./queries.ts";

export type { PeerRow };

const CHECK_DAYS = 7;
/** Of one that did not answer yet: what is sent to it is chosen by its software. */
const UNKNOWN_DAYS = 1;
/** A server that nobody was met of for so long is forgotten. */
const KEPT_DAYS = 90;
/** Of one domain. */
const MAX_SHOWN = 20;

/** Whether a server has to be asked; then it counts as asked. */
export const claimCheck = (app: App, host: string): Promise<boolean> => {
  const now = app.clock.now();
  const before = addDays(now, -CHECK_DAYS);
  return claimPeer(app.sql, host, { now, before, unknownBefore: addDays(now, -UNKNOWN_DAYS) });
};

export type Software = Pick<PeerRow, "software" | "version">;

export const storePeer = async (app: App, host: string, said: Software): Promise<void> => {
  await updatePeer(app.sql, host, said);
};

/** By host, of those that are known. */
export const softwareOf = async (app: App, hosts: string[]): Promise<Map<string, Software>> => {
  const rows = await selectSoftware(app.sql, hosts);
  return new Map(rows.map((row) => [row.host, row]));
};

/** The server with this domain and those below it, as many as are shown. */
export const peersOf = async (app: App, domain: string): Promise<PeerRow[]> =>
  selectPeersOf(app.sql, domain, MAX_SHOWN);

const PAGE = 1000;

/** All servers in the order of their names; `software`: with this one alone. */
export const allPeers = async function* (
  app: App,
  software: string | null,
): AsyncGenerator<PeerRow> {
  for (let after = ""; ;) {
    const rows = await selectPeers(app.sql, { software, after, limit: PAGE });
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.host;
  }
};

/** `mastodon 4.5.1`; empty where nothing is known. */
export const softwareText = ({ software, version }: Software): string =>
  software === null ? "" : [software, version].filter(Boolean).join(" ");

export const deleteOldPeers: DeleteSlice = (app, now) =>
  deletePeersBefore(app.sql, addDays(now, -KEPT_DAYS));
