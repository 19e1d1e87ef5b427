// A file of domain blocks: what it would change, and changing it.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { readDomainCsv } from "../blocklists/csv.ts";
import type { DomainEntry } from "../blocklists/csv.ts";
import { allDomainBlocks } from "../blocklists/lists.ts";
import type { DomainBlockRow } from "../blocklists/tables.ts";
import type { Actor } from "../roles/permissions.ts";
import { requireMay } from "./acts.ts";
import { createDomainBlock, updateDomainBlock } from "./blocks.ts";

export type DomainImport = {
  dry_run: boolean;
  added: DomainEntry[];
  changed: DomainEntry[];
  /** Blocked in another way here, which stays. */
  left: number;
  unchanged: number;
  /** Blocks of domains above them are as strict. */
  covered: string[];
  refused: string[];
};

export const sameBlock = (
  row: DomainBlockRow,
  { domain: _domain, ...entry }: DomainEntry,
): boolean =>
  Object.entries(entry).every(([name, value]) => row[name as keyof typeof entry] === value);

/** What is covered by a block that is as strict needs none. */
const add = async (app: App, actor: Actor, entry: DomainEntry): Promise<string | null> => {
  const { domain, ...input } = entry;
  try {
    await createDomainBlock(app, actor, domain, input);
    return null;
  } catch (error) {
    if (!(error instanceof Unprocessable)) throw error;
    return `${domain}: ${error.message}`;
  }
};

export type ImportOptions = { dryRun: boolean; overwrite: boolean };

/** Adds what is missing; with `overwrite` it also changes what is another there. */
export const importDomainBlocks = async (
  app: App,
  actor: Actor,
  text: string,
  { dryRun, overwrite }: ImportOptions,
): Promise<DomainImport> => {
  requireMay(actor, "domain_blocks.write");
  const { entries, refused } = readDomainCsv(text);
  if (entries.length === 0) throw new Unprocessable("There are no domains in the file.");
  const present = new Map(
    (await allDomainBlocks(app)).map((row) => [row.domain.toLowerCase(), row]),
  );
  const missing = entries.filter(({ domain }) => !present.has(domain));
  const others = entries.filter(({ domain }) => present.has(domain));
  const different = others.filter((entry) => !sameBlock(present.get(entry.domain)!, entry));
  const covered: string[] = [];
  const added: DomainEntry[] = [];
  for (const entry of missing) {
    const why = dryRun ? null : await add(app, actor, entry);
    if (why === null) added.push(entry);
    else covered.push(why);
  }
  const changed = overwrite ? different : [];
  for (const { domain, ...input } of dryRun ? [] : changed) {
    await updateDomainBlock(app, actor, present.get(domain)!.id, input);
  }
  return {
    dry_run: dryRun,
    added,
    changed,
    left: different.length - changed.length,
    unchanged: others.length - different.length,
    covered,
    refused,
  };
};
