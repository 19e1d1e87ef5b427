// Changes the lists of blocked and allowed servers, addresses and mail providers, each act with its entry in the audit
// log.

import type { AuditAction, AuditDetails } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import { lockNamed } from "../../../platform/db/lock-named.ts";
import { isOwnDomain } from "../../../platform/config/names.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import {
  Unprocessable,
  blank,
  faultOf,
  invalidField,
  invalidFields,
  orNotFound,
  taken,
} from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { audit } from "../../base/audit/audit.ts";
import { BLOCKS_CHANGED, readDomain } from "../../base/blocklists/domains.ts";
import { canonicalHash } from "../../base/blocklists/emails.ts";
import { blocksAddress, ipBlocksChanged, readNetwork } from "../../base/blocklists/ips.ts";
import {
  addBlock,
  changeDomainBlock,
  changeIpBlock,
  countBlocks,
  domainBlocksAmong,
  findAllow,
  findCanonical,
  removeBlock,
} from "../../base/blocklists/lists.ts";
import type { Blocklist, IpChange, RowOf } from "../../base/blocklists/lists.ts";
import type {
  CanonicalBlockRow,
  DomainAllowRow,
  DomainBlockInput,
  DomainBlockRow,
  DomainSeverity,
  EmailDomainBlockRow,
  IpBlockRow,
  IpSeverity,
} from "../../base/blocklists/tables.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { beginSeverance } from "../../reading/severed-relationships/severed-relationships.ts";
import { requireMay } from "../../base/roles/acts.ts";
import { adminDomainBlockEntity } from "./blocks-present.ts";
import "./events.ts";

/** Entries of each list that is held in memory. */
const MAX: Record<Blocklist, number> = {
  domain_blocks: 50_000,
  domain_allows: 50_000,
  ip_blocks: 10_000,
  email_domain_blocks: 50_000,
  canonical_email_blocks: 10_000_000,
};

const NAMES = {
  domain_blocks: "domain_block",
  domain_allows: "domain_allow",
  ip_blocks: "ip_block",
  email_domain_blocks: "email_domain_block",
  canonical_email_blocks: "canonical_email_block",
} as const satisfies Record<Blocklist, string>;

/** Throws 422 for text that is no domain, and for this server's own. */
const domainFrom = (app: App, text: string | undefined): string => {
  if (!text?.trim()) throw invalidFields([blank("domain")]);
  const domain = readDomain(text);
  const isOwn = domain !== null && isOwnDomain(app.config.site, domain);
  if (domain !== null && !isOwn) return domain;
  const said = isOwn ? says("network.blocks.own") : undefined;
  throw invalidField("domain", "is not a valid domain name", said);
};

const record = (
  app: App,
  tx: Tx,
  actor: Actor,
  list: Blocklist,
  verb: "create" | "update" | "delete",
  row: { id: string; label: string; details?: AuditDetails },
): Promise<void> =>
  audit(app, tx, actor, {
    // Only blocks of servers and networks are changed.
    action: `${NAMES[list]}.${verb}` as AuditAction,
    target: { type: NAMES[list], id: row.id, label: row.label },
    details: row.details ?? {},
  });

const requireRoom = async (tx: Tx, list: Blocklist): Promise<void> => {
  if (list === "canonical_email_blocks") return;
  await lockNamed(tx, list);
  if ((await countBlocks(tx, list)) < MAX[list]) return;
  throw new Unprocessable(says("network.refused.full", { count: MAX[list] }));
};

/** Adds a row in one transaction with its audit entry; throws 422 for a taken name. */
const add = async <T extends Blocklist>(
  app: App,
  actor: Actor,
  list: T,
  field: string,
  row: Record<string, unknown>,
  more: (tx: Tx, row: RowOf[T]) => Promise<void> = async () => {},
): Promise<RowOf[T]> => {
  try {
    return (await app.sql.begin(async (tx) => {
      await requireRoom(tx, list);
      const block = await addBlock(tx, list, { ...row, created_at: app.clock.now() });
      const label = String(row[field] ?? "");
      await record(app, tx, actor, list, "create", { id: block.id, label });
      await more(tx, block);
      return block;
    })) as RowOf[T];
  } catch (error) {
    throw isUniqueViolation(error) ? invalidFields([taken(field)]) : error;
  }
};

/** Makes the act of removing an entry, which throws NotFound for an unknown one. */
const removing =
  <T extends Blocklist>(
    list: T,
    label: (row: RowOf[T]) => string,
    more: (app: App, tx: Tx, gone: RowOf[T]) => Promise<void> = async () => {},
  ) =>
  async (app: App, actor: Actor, id: string): Promise<void> => {
    requireMay(actor, `${list}.write`);
    await app.sql.begin(async (tx) => {
      const gone = orNotFound(await removeBlock(tx, list, id));
      await record(app, tx, actor, list, "delete", { id, label: label(gone) });
      await more(app, tx, gone);
    });
  };

/** Enqueues that the limits of a domain's accounts may have changed. */
const domainLimited = async (app: App, tx: Tx, domain: string, severity: DomainSeverity | null) => {
  invalidate(tx, BLOCKS_CHANGED);
  const eventId =
    severity === "suspend" ? await beginSeverance(app, tx, "domain_block", domain) : null;
  await app.jobs.add(tx, "domain.limited", { domain, eventId });
};

const STRICTNESS: DomainSeverity[] = ["noop", "silence", "suspend"];

/** Throws 422 with the block that makes this one superfluous: of the domain, or one as strict of a domain above it. */
const refuseExisting = (blocks: DomainBlockRow[], domain: string, severity: DomainSeverity) => {
  const existing = blocks.find(
    (row) =>
      row.domain.toLowerCase() === domain ||
      STRICTNESS.indexOf(row.severity) >= STRICTNESS.indexOf(severity),
  );
  if (!existing) return;
  const said =
    existing.domain.toLowerCase() === domain
      ? says("network.refused.blocked")
      : says("network.refused.covered", { domain: existing.domain });
  throw faultOf("domain", said, { existing_domain_block: adminDomainBlockEntity(existing) });
};

export const createDomainBlock = async (
  app: App,
  actor: Actor,
  text: string | undefined,
  input: DomainBlockInput,
): Promise<DomainBlockRow> => {
  requireMay(actor, "domain_blocks.write");
  const domain = domainFrom(app, text);
  const severity = input.severity ?? "silence";
  refuseExisting(await domainBlocksAmong(app.sql, domain), domain, severity);
  const row = { ...input, severity, domain };
  return add(app, actor, "domain_blocks", "domain", row, (tx) =>
    domainLimited(app, tx, domain, severity),
  );
};

export const updateDomainBlock = async (
  app: App,
  actor: Actor,
  id: string,
  input: DomainBlockInput,
  mark?: string,
): Promise<DomainBlockRow> => {
  requireMay(actor, "domain_blocks.write");
  return (await app.sql.begin(async (tx) => {
    const { before, after } = await changeDomainBlock(tx, id, input, mark);
    const details = { severity: after.severity };
    const { domain } = after;
    await record(app, tx, actor, "domain_blocks", "update", { id, label: domain, details });
    invalidate(tx, BLOCKS_CHANGED);
    if (before.severity !== after.severity) await domainLimited(app, tx, domain, after.severity);
    return after;
  })) as DomainBlockRow;
};

export const deleteDomainBlock = removing(
  "domain_blocks",
  ({ domain }) => domain,
  (app, tx, { domain }) => domainLimited(app, tx, domain, null),
);

/** Accepts a domain that is allowed already. */
export const createDomainAllow = async (
  app: App,
  actor: Actor,
  text: string | undefined,
): Promise<DomainAllowRow> => {
  requireMay(actor, "domain_allows.write");
  const domain = domainFrom(app, text);
  const present = await findAllow(app, domain);
  if (present) return present;
  return add(app, actor, "domain_allows", "domain", { domain }, async (tx) =>
    invalidate(tx, BLOCKS_CHANGED),
  );
};

export const deleteDomainAllow = removing(
  "domain_allows",
  ({ domain }) => domain,
  async (_app, tx) => invalidate(tx, BLOCKS_CHANGED),
);

type EmailDomainInput = { domain?: string | undefined; withApproval: boolean };

export const createEmailDomainBlock = async (
  app: App,
  actor: Actor,
  input: EmailDomainInput,
): Promise<EmailDomainBlockRow> => {
  requireMay(actor, "email_domain_blocks.write");
  if (!input.domain?.trim()) throw invalidFields([blank("domain")]);
  const domain = readDomain(input.domain);
  if (domain === null) throw invalidField("domain", "is not a valid domain name");
  const row = { domain, allow_with_approval: input.withApproval };
  return add(app, actor, "email_domain_blocks", "domain", row);
};

export const deleteEmailDomainBlock = removing("email_domain_blocks", ({ domain }) => domain);

const HASH = /^[0-9a-f]{64}$/;

type CanonicalInput = { email?: string | undefined; hash?: string | undefined };

/** Blocks by the address or by its hash; accepts one that is blocked already. */
export const createCanonicalBlock = async (
  app: App,
  actor: Actor,
  { email, hash: inputHash }: CanonicalInput,
): Promise<CanonicalBlockRow> => {
  requireMay(actor, "canonical_email_blocks.write");
  if (!inputHash && !email?.trim()) throw invalidFields([blank("email")]);
  if (!inputHash && !email!.includes("@")) throw invalidField("email", "is not an address");
  const hash = inputHash ? inputHash.toLowerCase() : canonicalHash(email!);
  if (!HASH.test(hash)) throw invalidField("canonical_email_hash", "is not a SHA-256 hash");
  const present = await findCanonical(app, hash);
  if (present) return present;
  const row = { canonical_email_hash: hash };
  return add(app, actor, "canonical_email_blocks", "canonical_email_hash", row);
};

export const deleteCanonicalBlock = removing(
  "canonical_email_blocks",
  (row) => row.canonical_email_hash,
);

type IpInput = {
  ip?: string | undefined;
  severity?: IpSeverity | undefined;
  comment?: string | undefined;
  /** Seconds; 0 for never. */
  expiresIn?: number | undefined;
};

/** Refuses a block that would shut out who makes it; null for the command line, which has no address. */
const checkOwnAddress = (row: Pick<IpBlockRow, "ip" | "severity">, from: string | null): void => {
  if (from === null || row.severity !== "no_access" || !blocksAddress(row, from)) return;
  const said = says("network.refused.own_address");
  throw invalidField("ip", "contains the address that you use now", said);
};

const networkFrom = (text: string): string => {
  const network = readNetwork(text);
  if (!network) throw invalidField("ip", "is not an IP address or a network");
  return `${network.address}/${network.prefix}`;
};

/** Seconds from which an expiry counts as never. */
const MAX_SECONDS = 100 * 365 * 86_400;

const ipChange = (app: App, input: IpInput): IpChange => {
  const seconds = Math.min(Math.max(0, input.expiresIn ?? 0), MAX_SECONDS);
  const until = seconds === 0 ? null : new Date(app.clock.now().getTime() + seconds * 1000);
  return {
    ...(input.ip !== undefined && { ip: networkFrom(input.ip) }),
    ...(input.severity !== undefined && { severity: input.severity }),
    ...(input.comment !== undefined && { comment: input.comment }),
    ...(input.expiresIn !== undefined && { expires_at: until }),
  };
};

/** Turns the database's refusal of a network with host bits that are not zero into an error for the client. */
const refusingHostBits = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code !== "22P02") throw error;
    throw invalidField("ip", "is no network: the bits after its prefix are not zero");
  }
};

/** `from` is the address of who makes the block. */
export const createIpBlock = async (
  app: App,
  actor: Actor,
  input: IpInput,
  from: string | null,
): Promise<IpBlockRow> => {
  requireMay(actor, "ip_blocks.write");
  if (!input.ip) throw invalidFields([blank("ip")]);
  if (!input.severity) throw invalidFields([blank("severity")]);
  const row = ipChange(app, input);
  return refusingHostBits(() =>
    add(app, actor, "ip_blocks", "ip", row, async (tx, block) => {
      checkOwnAddress(block, from);
      ipBlocksChanged(tx);
    }),
  );
};

export const updateIpBlock = async (
  app: App,
  actor: Actor,
  id: string,
  input: IpInput,
  from: string | null,
): Promise<IpBlockRow> => {
  requireMay(actor, "ip_blocks.write");
  const work = () =>
    app.sql.begin(async (tx) => {
      const row = await changeIpBlock(tx, id, ipChange(app, input));
      checkOwnAddress(row, from);
      await record(app, tx, actor, "ip_blocks", "update", { id, label: row.ip });
      ipBlocksChanged(tx);
      return row;
    }) as Promise<IpBlockRow>;
  try {
    return await refusingHostBits(work);
  } catch (error) {
    throw isUniqueViolation(error) ? invalidFields([taken("ip")]) : error;
  }
};

export const deleteIpBlock = removing(
  "ip_blocks",
  ({ ip }) => ip,
  async (_app, tx) => ipBlocksChanged(tx),
);
