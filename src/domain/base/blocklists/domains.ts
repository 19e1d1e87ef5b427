// Other servers that moderators limited, suspended or (in limited federation) allowed: which block applies
// to a host, and the DomainBlock entity. https://docs.joinmastodon.org/entities/DomainBlock/

import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { selectAllDomainAllows, selectAllDomainBlocks } from "./queries.ts";
import type { DomainBlockRow } from "./tables.ts";

/** Key that invalidates the cached blocks. */
export const BLOCKS_CHANGED = "domain-blocks:";

/** Hides so much of a name that it can be recognised but not visited. */
const obfuscated = (domain: string): string => {
  const visible = Math.max(1, Math.floor(domain.length / 4));
  const hidden = domain.slice(visible, -visible).replace(/[^.]/g, "*");
  return domain.slice(0, visible) + hidden + domain.slice(-visible);
};

export const digestOf = (domain: string): string =>
  createHash("sha256").update(domain).digest("hex");

/** Makes the DomainBlock entity; it has the comment only where reasons are public. */
export const domainBlockEntity = (row: DomainBlockRow, withComment: boolean) => ({
  domain: row.obfuscate ? obfuscated(row.domain) : row.domain,
  digest: digestOf(row.domain),
  severity: row.severity,
  comment: withComment ? row.public_comment : null,
});

type Lists = {
  blocks: DomainBlockRow[];
  byDomain: Map<string, DomainBlockRow>;
  allowed: Set<string>;
};

const read = async (db: Db): Promise<Lists> => {
  const blocks = await selectAllDomainBlocks(db);
  const allows = await selectAllDomainAllows(db);
  return {
    blocks,
    byDomain: new Map(blocks.map((row) => [row.domain.toLowerCase(), row])),
    allowed: new Set(allows.map((row) => row.domain.toLowerCase())),
  };
};

const listsOf = listenedValue<Lists>({
  name: "blocked servers",
  channel: "settings",
  key: BLOCKS_CHANGED,
  read,
});

/** Ranks of severities; the strictest has the lowest. */
const RANK = { suspend: 0, silence: 1, noop: 2 };

/** Returns limits on other servers, the strictest first. */
export const listLimits = async (app: App): Promise<DomainBlockRow[]> =>
  (await listsOf(app)).blocks
    .filter((row) => row.severity !== "noop")
    .toSorted((block, other) => RANK[block.severity] - RANK[other.severity]);

const MAX_DOMAIN = 253; // RFC 1035
const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?";
const DOMAIN = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*(?::\d{1,5})?$`);

/** Returns the host of an address, with its port if it has one; text that is no address stays as it is. */
export const hostPart = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/.*$/s, "");

/** Returns a domain in lower case and punycode without a trailing dot; null where it is none. */
export const canonicalDomain = (text: string): string | null => {
  const bare = text.replace(/\.(?=:\d+$|$)/, "");
  const [, host = "", port = ""] = /^([^:]*)(:\d+)?$/.exec(bare) ?? [];
  if (host === "" || host.length > MAX_DOMAIN) return null;
  const domain = `${domainToASCII(host)}${port}`;
  return domain.length <= MAX_DOMAIN + 6 && DOMAIN.test(domain) ? domain : null;
};

/** Reads a domain as moderators may write it, also as a URL. */
export const readDomain = (text: string): string | null =>
  canonicalDomain(hostPart(text).replace(/^[@*]\.?/, ""));

/**
 * Returns the domain and those above it (`a.b.example`, `b.example`, `example`), since a block applies to subdomains
 * too.
 */
export const domainsAbove = (domain: string): string[] => {
  const parts = domain.toLowerCase().replace(/\.$/, "").split(".");
  return parts.map((_, index) => parts.slice(index).join("."));
};

const nearest = (lists: Lists, host: string): DomainBlockRow | null => {
  const bare = host.replace(/:\d+$/, "");
  for (const domain of [host.toLowerCase(), ...domainsAbove(bare)]) {
    const row = lists.byDomain.get(domain);
    if (row) return row;
  }
  return null;
};

/** Returns the block that applies to this host (with or without a port), or null. */
export const domainBlockFor = async (app: App, host: string): Promise<DomainBlockRow | null> => {
  const lists = await listsOf(app);
  return lists.byDomain.size === 0 ? null : nearest(lists, host);
};

/** Returns the block that applies to each of the hosts. */
export const domainBlocksFor = async (
  app: App,
  hosts: string[],
): Promise<(DomainBlockRow | null)[]> => {
  const lists = await listsOf(app);
  return hosts.map((host) => nearest(lists, host));
};

const refuses = (app: App, lists: Lists, host: string): boolean =>
  app.config.access.limitedFederation
    ? !lists.allowed.has(host.toLowerCase())
    : lists.byDomain.size > 0 && nearest(lists, host)?.severity === "suspend";

/**
 * Returns whether this server does not federate with the host: it is suspended, or not among the few that are allowed.
 */
export const isHostRefused = async (app: App, host: string): Promise<boolean> =>
  refuses(app, await listsOf(app), host);

/** Returns those of the hosts that this server does not federate with. */
export const refusedAmong = async (app: App, hosts: string[]): Promise<Set<string>> => {
  const lists = await listsOf(app);
  return new Set([...new Set(hosts)].filter((host) => refuses(app, lists, host)));
};

/** Returns those of the hosts whose media are not shown here. */
export const mediaRejectedAmong = async (app: App, hosts: string[]): Promise<Set<string>> => {
  const lists = await listsOf(app);
  return new Set([...new Set(hosts)].filter((host) => nearest(lists, host)?.reject_media === true));
};
