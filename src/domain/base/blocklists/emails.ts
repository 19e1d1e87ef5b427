// E-mail addresses that may not sign up: by the domain of the address or of its mail servers, and by a hash of
// the address. https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/

import { createHash } from "node:crypto";
import { Resolver } from "node:dns/promises";
import type { App } from "../../../platform/app.ts";
import { invalidFields } from "../../../platform/errors.ts";
import { domainsAbove, readDomain } from "./domains.ts";
import { countTry, selectCanonicalByHash, selectEmailBlocks, selectHasAny } from "./queries.ts";
import type { CanonicalBlockRow, EmailDomainBlockRow } from "./tables.ts";

export const HISTORY_DAYS = 7;

const DNS_TIMEOUT_MS = 1_500;
/** Mail servers of one domain that are compared with the blocks. */
const MAX_SERVERS = 10;

const domainOf = (email: string): string | null =>
  readDomain(email.slice(email.lastIndexOf("@") + 1));

/** Removes what one mailbox can have many of: capitals, dots, and what follows a +. */
const canonicalEmail = (email: string): string => {
  const [local = "", domain = ""] = email.trim().toLowerCase().split("@", 2);
  return `${local.split("+", 1)[0]!.replaceAll(".", "")}@${domain}`;
};

export const canonicalHash = (email: string): string =>
  createHash("sha256").update(canonicalEmail(email)).digest("hex");

/** Returns the blocks of an address, found by its hash. */
export const canonicalBlocks = (app: App, email: string): Promise<CanonicalBlockRow[]> =>
  selectCanonicalByHash(app.sql, canonicalHash(email));

/** Returns the names of the mail servers; none where DNS does not answer in time, so that a slow DNS stops nobody. */
const mailServers = async (domain: string): Promise<string[]> => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  try {
    const records = await resolver.resolveMx(domain.replace(/:\d+$/, ""));
    return records.slice(0, MAX_SERVERS).flatMap(({ exchange }) => readDomain(exchange) ?? []);
  } catch {
    return [];
  }
};

/** Returns the blocks that apply to an address: of its domain, of the domains above, and of its mail servers. */
const blocksOf = async (app: App, email: string): Promise<EmailDomainBlockRow[]> => {
  const domain = domainOf(email);
  if (domain === null || !(await selectHasAny(app.sql, "email_domain_blocks"))) return [];
  const direct = await selectEmailBlocks(app.sql, domainsAbove(domain));
  if (direct.length > 0) return direct;
  const servers = await mailServers(domain);
  return servers.length === 0 ? [] : selectEmailBlocks(app.sql, servers.flatMap(domainsAbove));
};

const refused = () => {
  const description = "is from a provider that is not accepted here";
  return invalidFields([{ field: "email", code: "ERR_BLOCKED", description }]);
};

/**
 * Returns whether a sign-up with the address needs a moderator's approval, and counts the attempt in the history of the
 * blocks that apply. Throws 422 where the address is blocked.
 */
export const judgeEmail = async (app: App, email: string, ip: string): Promise<boolean> => {
  if ((await canonicalBlocks(app, email)).length > 0) throw refused();
  const blocks = await blocksOf(app, email);
  if (blocks.length === 0) return false;
  const ids = blocks.map(({ id }) => id);
  await countTry(app.sql, ids, app.clock.now(), ip);
  if (!blocks.every((block) => block.allow_with_approval)) throw refused();
  return true;
};
