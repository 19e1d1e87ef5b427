// Combines the lists, and plans the changes of the blocks here. Without I/O.

import { strictness, stricter } from "../../base/blocklists/csv.ts";
import type { DomainEntry } from "../../base/blocklists/csv.ts";
import { domainsAbove } from "../../base/blocklists/domains.ts";
import type { DomainBlockRow, DomainSeverity } from "../../base/blocklists/tables.ts";
import type { Applied, DomainListRow, ListedEntry, OwnBlock } from "./tables.ts";

/** An entry with the titles of the lists that have it. With `retract` its block ends when they have it no more. */
export type PlannedBlock = DomainEntry & { lists: string[]; retract: boolean };

const together = (planned: PlannedBlock, other: PlannedBlock): PlannedBlock => ({
  ...stricter(planned, other),
  lists: [...planned.lists, ...other.lists],
  retract: planned.retract && other.retract,
});

/**
 * Returns for each domain the strictest severity of a list, by its mapping, without exceptions and the domains above or
 * below them.
 */
export const wantedBlocks = (
  lists: DomainListRow[],
  entries: ListedEntry[],
  exceptions: string[],
): Map<string, PlannedBlock> => {
  const byId = new Map(lists.map((list) => [list.id, list]));
  const excepted = new Set(exceptions);
  // A block of a domain above an exception would include it.
  const above = new Set(exceptions.flatMap(domainsAbove));
  const byDomain = new Map<string, PlannedBlock>();
  for (const { list_id: listId, ...entry } of entries) {
    const list = byId.get(listId);
    const severity = list?.severities[entry.severity] ?? "skip";
    const isExcepted =
      above.has(entry.domain) || domainsAbove(entry.domain).some((higher) => excepted.has(higher));
    if (!list || severity === "skip" || isExcepted) continue;
    const planned = { ...entry, severity, lists: [list.title], retract: list.retract };
    const other = byDomain.get(entry.domain);
    byDomain.set(entry.domain, other ? together(other, planned) : planned);
  }
  return byDomain;
};

export type ListPlan = {
  add: PlannedBlock[];
  change: { block: DomainBlockRow; planned: PlannedBlock }[];
  remove: DomainBlockRow[];
  /** Domains that moderators blocked here in any way, which stay as they are. */
  kept: number;
  /** Domains below one with a block that is as strict. */
  covered: number;
  unchanged: number;
};

export type Present = {
  blocks: DomainBlockRow[];
  /** Blocks that came from lists, by id. */
  own: Map<string, OwnBlock>;
};

const sameAs = (block: DomainBlockRow, applied: Applied): boolean =>
  (Object.keys(applied) as (keyof Applied)[]).every((name) => block[name] === applied[name]);

export const appliedOf = ({
  domain: _domain,
  lists: _lists,
  retract: _retract,
  ...applied
}: PlannedBlock): Applied => applied;

/** Returns whether the block came from a list; once a moderator changed it, it did not. */
const isOwn = (block: DomainBlockRow, { own }: Present): boolean => {
  const mine = own.get(block.id);
  return mine !== undefined && sameAs(block, mine.applied);
};

const isCovered = (planned: PlannedBlock, byDomain: Map<string, { severity: DomainSeverity }>) =>
  domainsAbove(planned.domain)
    .slice(1)
    .some((domain) => {
      const above = byDomain.get(domain);
      return above !== undefined && strictness(above.severity) >= strictness(planned.severity);
    });

export const planLists = (plannedBlocks: Map<string, PlannedBlock>, present: Present): ListPlan => {
  const byDomain = new Map(present.blocks.map((block) => [block.domain.toLowerCase(), block]));
  const plan: ListPlan = { add: [], change: [], remove: [], kept: 0, covered: 0, unchanged: 0 };
  for (const planned of plannedBlocks.values()) {
    const block = byDomain.get(planned.domain);
    if (!block) {
      if (isCovered(planned, byDomain) || isCovered(planned, plannedBlocks)) plan.covered += 1;
      else plan.add.push(planned);
    } else if (!isOwn(block, present)) plan.kept += 1;
    else if (sameAs(block, appliedOf(planned))) plan.unchanged += 1;
    else plan.change.push({ block, planned });
  }
  plan.remove = present.blocks.filter(
    (block) =>
      present.own.get(block.id)?.retract === true &&
      isOwn(block, present) &&
      !plannedBlocks.has(block.domain.toLowerCase()),
  );
  return plan;
};
