// Imports files of servers to block or to allow: shows what they would change, and changes it, at once or in jobs.

import type { App } from "../../../platform/app.ts";
import { chunks } from "../../../platform/chunks.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { readDomainCsv, strictness } from "../../base/blocklists/csv.ts";
import type { DomainEntry } from "../../base/blocklists/csv.ts";
import { says } from "../../../platform/text/texts.ts";
import type { JobHandler } from "../../../platform/jobs/table.ts";
import { domainsAbove } from "../../base/blocklists/domains.ts";
import { allDomainAllows, allDomainBlocks } from "../../base/blocklists/lists.ts";
import type { DomainBlockRow } from "../../base/blocklists/tables.ts";
import { COMMAND_LINE } from "../../base/roles/permissions.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { actorOf } from "./actors.ts";
import { may, requireMay } from "../../base/roles/acts.ts";
import { createDomainAllow, createDomainBlock, updateDomainBlock } from "./blocks.ts";

type DomainImport = {
  dry_run: boolean;
  added: DomainEntry[];
  changed: DomainEntry[];
  /** Domains that are blocked in another way here, which stay. */
  left: number;
  unchanged: number;
  /** Domains below ones with blocks that are as strict. */
  covered: string[];
  refused: string[];
};

const sameBlock = (row: DomainBlockRow, { domain: _domain, ...entry }: DomainEntry): boolean =>
  Object.entries(entry).every(([name, value]) => row[name as keyof typeof entry] === value);

type Plan = Pick<DomainImport, "added" | "covered" | "unchanged" | "refused"> & {
  different: DomainEntry[];
};

/** Compares a file with the existing blocks. */
const planOf = async (app: App, text: string): Promise<Plan> => {
  const { entries, refused } = readDomainCsv(text);
  if (entries.length === 0) throw new Unprocessable(says("network.files.no_domains"));
  // Refuses files that are no lists: a picture or a letter has some word that could be a domain.
  if (refused.length > entries.length) throw new Unprocessable(says("import.unreadable"));
  const present = new Map(
    (await allDomainBlocks(app)).map((row) => [row.domain.toLowerCase(), row]),
  );
  const plan: Plan = { added: [], different: [], covered: [], unchanged: 0, refused };
  for (const entry of entries) {
    const row = present.get(entry.domain);
    if (row && sameBlock(row, entry)) plan.unchanged += 1;
    else if (row) plan.different.push(entry);
    else if (coverOf(present, entry)) plan.covered.push(entry.domain);
    else plan.added.push(entry);
  }
  return plan;
};

/** Returns the block of a domain above that is as strict, which makes this one superfluous. */
const coverOf = (present: ReadonlyMap<string, DomainBlockRow>, { domain, severity }: DomainEntry) =>
  domainsAbove(domain.replace(/:\d+$/, ""))
    .map((above) => present.get(above))
    .find((row) => row !== undefined && strictness(row.severity) >= strictness(severity));

/** Blocks an entry as the file says, whether or not it exists. Returns why it cannot be blocked. */
const apply = async (app: App, actor: Actor, entry: DomainEntry): Promise<string | null> => {
  const { domain, ...input } = entry;
  try {
    await createDomainBlock(app, actor, domain, input);
    return null;
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return `${domain}: ${error.message}`;
  }
};

const change = async (app: App, actor: Actor, entries: DomainEntry[]): Promise<void> => {
  const domains = new Set(entries.map(({ domain }) => domain));
  const rows = (await allDomainBlocks(app)).filter((row) => domains.has(row.domain.toLowerCase()));
  const ids = new Map(rows.map((row) => [row.domain.toLowerCase(), row]));
  for (const entry of entries) {
    const row = ids.get(entry.domain);
    if (!row || sameBlock(row, entry)) continue;
    const { domain: _domain, ...input } = entry;
    await updateDomainBlock(app, actor, row.id, input);
  }
};

export type ImportOptions = { dryRun: boolean; overwrite: boolean };

/** Adds missing blocks; with `overwrite` also changes existing ones. */
export const importDomainBlocks = async (
  app: App,
  actor: Actor,
  text: string,
  { dryRun, overwrite }: ImportOptions,
): Promise<DomainImport> => {
  requireMay(actor, "domain_blocks.write");
  const { different, ...plan } = await planOf(app, text);
  const changed = overwrite ? different : [];
  const added: DomainEntry[] = [];
  const covered = [...plan.covered];
  for (const entry of plan.added) {
    const why = dryRun ? null : await apply(app, actor, entry);
    if (why === null) added.push(entry);
    else covered.push(why);
  }
  if (!dryRun) await change(app, actor, changed);
  const left = different.length - changed.length;
  return { ...plan, dry_run: dryRun, added, changed, left, covered };
};

/** Entries that one job handles. */
const PIECE = 100;

/**
 * Imports a file in jobs on behalf of the actor, since it takes longer than a request may. Returns the number of
 * entries.
 */
export const startDomainImport = async (
  app: App,
  actor: Actor,
  text: string,
  { overwrite }: Pick<ImportOptions, "overwrite">,
): Promise<number> => {
  requireMay(actor, "domain_blocks.write");
  const { added, different } = await planOf(app, text);
  const entries = overwrite ? [...added, ...different] : added;
  const { accountId } = actor;
  const jobs = chunks(entries, PIECE).map((piece) => ({ payload: { accountId, entries: piece } }));
  if (jobs.length > 0) await app.jobs.addMany(app.sql, "domain_blocks.import", jobs);
  return entries.length;
};

const actorNow = (app: App, accountId: string | null): Promise<Actor> | Actor =>
  accountId === null ? COMMAND_LINE : actorOf(app, accountId);

/** Handles the job `domain_blocks.import`. Does nothing where the person who began it may no longer do so. */
export const importBlocksPiece: JobHandler<"domain_blocks.import"> = async (
  app,
  { accountId, entries },
) => {
  const actor = await actorNow(app, accountId);
  if (!may(actor, "domain_blocks.write")) return;
  await change(app, actor, entries);
  for (const entry of entries) await apply(app, actor, entry);
};

type AllowImport = { added: string[]; unchanged: number; refused: string[] };

/** Returns what a file of servers to allow would add. */
export const planDomainAllows = async (
  app: App,
  actor: Actor,
  text: string,
): Promise<AllowImport> => {
  requireMay(actor, "domain_allows.write");
  const { entries, refused } = readDomainCsv(text);
  if (entries.length === 0) throw new Unprocessable(says("network.files.no_domains"));
  const present = new Set((await allDomainAllows(app)).map(({ domain }) => domain.toLowerCase()));
  const domains = entries.map(({ domain }) => domain);
  const added = domains.filter((domain) => !present.has(domain));
  return { added, unchanged: domains.length - added.length, refused };
};

export const startAllowImport = async (app: App, actor: Actor, text: string): Promise<number> => {
  const { added } = await planDomainAllows(app, actor, text);
  const { accountId } = actor;
  const jobs = chunks(added, PIECE).map((domains) => ({ payload: { accountId, domains } }));
  if (jobs.length > 0) await app.jobs.addMany(app.sql, "domain_allows.import", jobs);
  return added.length;
};

/** Handles the job `domain_allows.import`. */
export const importAllowsPiece: JobHandler<"domain_allows.import"> = async (
  app,
  { accountId, domains },
) => {
  const actor = await actorNow(app, accountId);
  if (!may(actor, "domain_allows.write")) return;
  for (const domain of domains) {
    await createDomainAllow(app, actor, domain).catch((error: unknown) => {
      if (!(error instanceof Unprocessable)) throw error;
    });
  }
};
