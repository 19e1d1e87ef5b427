// Blocks addresses of clients from signing up, holds their sign-ups for approval, or refuses their requests altogether.
// https://docs.joinmastodon.org/entities/Admin_IpBlock/

import { BlockList, isIP } from "node:net";
import type { App } from "../../../platform/app.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import type { Server } from "../../../platform/http/server.ts";
import { invalidate, onInvalidateKey } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { deleteExpiredIpBlocks, selectAllIpBlocks, selectIpBlocksOf } from "./queries.ts";
import type { IpBlockRow, IpSeverity } from "./tables.ts";

const CHANGED = "ip-blocks:";

export const ipBlocksChanged = (db: Db): void => invalidate(db, CHANGED);

const WIDTH = { 4: 32, 6: 128 } as const;
/**
 * Shortest prefix, in bits, of a network that can be blocked: a wider one would shut out a country by a typing error.
 */
const MIN_PREFIX = { 4: 8, 6: 16 } as const;

/**
 * Reads `192.0.2.7`, `192.0.2.0/24` or `2001:db8::/32` into the network and the length of its prefix; null when it is
 * none.
 */
export const readNetwork = (text: string): { address: string; prefix: number } | null => {
  const [, address = "", bits] = /^([^/\s]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return null;
  const prefix = bits === undefined ? WIDTH[family as 4 | 6] : Number(bits);
  const isFit = prefix <= WIDTH[family as 4 | 6] && prefix >= MIN_PREFIX[family as 4 | 6];
  return isFit ? { address, prefix } : null;
};

type Refused = { list: BlockList; nextExpiry: number };

const addTo = (list: BlockList, { ip }: Pick<IpBlockRow, "ip">): void => {
  const { address, prefix } = readNetwork(ip)!;
  list.addSubnet(address, prefix, isIP(address) === 6 ? "ipv6" : "ipv4");
};

const blockListOf = (rows: IpBlockRow[], now: number): Refused => {
  const list = new BlockList();
  const active = rows.filter(({ expires_at: at }) => at === null || at.getTime() > now);
  for (const row of active) addTo(list, row);
  const ends = active.flatMap(({ expires_at: at }) => at?.getTime() ?? []);
  return { list, nextExpiry: Math.min(Infinity, ...ends) };
};

const bare = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, "");

const hasAddress = (list: BlockList, ip: string): boolean => {
  const address = bare(ip);
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
};

/** Returns whether a block of this network is also one of the address. */
export const blocksAddress = (network: Pick<IpBlockRow, "ip">, address: string): boolean => {
  const list = new BlockList();
  addTo(list, network);
  return hasAddress(list, address);
};

/**
 * Keeps what the server asks about the address of each request. The blocks are read again whenever the database
 * notifies of a change.
 */
export const watchRefusedAddresses = async (app: App, { refusals }: Server): Promise<void> => {
  let rows: IpBlockRow[] = [];
  let refused: Refused | null = null;
  const isRefused = (ip: string): boolean => {
    const now = app.clock.now().getTime();
    if (!refused || refused.nextExpiry <= now) refused = blockListOf(rows, now);
    return hasAddress(refused.list, ip);
  };
  const read = async (): Promise<void> => {
    const all = await selectAllIpBlocks(app.sql);
    rows = all.filter(({ severity }) => severity === "no_access");
    refused = null;
    refusals.isRefused = rows.length > 0 ? isRefused : null;
  };
  const readAgain = (): void => {
    read().catch((error: unknown) => app.log.warn({ err: error }, "blocked addresses not read"));
  };
  onInvalidateKey(app.sql, CHANGED, readAgain);
  await app.sql.listen("settings", readAgain);
  await read();
};

const STRICTNESS: IpSeverity[] = ["sign_up_requires_approval", "sign_up_block", "no_access"];

/** Returns the strictest block of an address that holds now, or null. */
export const ipSeverity = async (app: App, ip: string): Promise<IpSeverity | null> => {
  if (isIP(bare(ip)) === 0) return null;
  const now = app.clock.now();
  const rows = await selectIpBlocksOf(app.sql, bare(ip));
  const active = rows.filter(({ expires_at: at }) => at === null || at > now);
  const levels = active.map(({ severity }) => STRICTNESS.indexOf(severity));
  return STRICTNESS[Math.max(-1, ...levels)] ?? null;
};

/** Deletes blocks that have expired. */
export const deleteExpiredIps: DeleteSlice = async (app, now) => {
  const isMore = await deleteExpiredIpBlocks(app.sql, now);
  ipBlocksChanged(app.sql);
  return isMore;
};
