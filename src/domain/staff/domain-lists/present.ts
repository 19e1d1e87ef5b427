// Presents the entities of our own admin API of lists of servers to block (docs/design/staff.md).

import { isoTime } from "../../../platform/ids/index.ts";
import type { ListPlan } from "./plan.ts";
import type { ChangeRow, DomainListRow } from "./tables.ts";

export const domainListEntity = (row: DomainListRow) => ({
  id: row.id,
  url: row.url,
  title: row.title,
  severities: row.severities,
  retract: row.retract,
  entries: row.entries,
  error: row.fault,
  fetched_at: row.fetched_at && isoTime(row.fetched_at),
  next_at: isoTime(row.due_at),
  created_at: isoTime(row.created_at),
});

const MAX_SHOWN = 1000;

/** Presents the result of a dry run; of each kind the first thousand. */
export const planEntity = ({ add, change, remove, ...counts }: ListPlan) => ({
  ...counts,
  add_count: add.length,
  change_count: change.length,
  remove_count: remove.length,
  add: add.slice(0, MAX_SHOWN).map(({ domain, severity, lists }) => ({ domain, severity, lists })),
  change: change.slice(0, MAX_SHOWN).map(({ block, planned: { domain, severity } }) => ({
    domain,
    severity,
    before: block.severity,
  })),
  remove: remove.slice(0, MAX_SHOWN).map(({ domain, severity }) => ({ domain, severity })),
});

export const changeEntity = (row: ChangeRow) => ({
  domain: row.domain,
  change: row.change,
  severity: row.severity,
  before: row.before,
  lists: row.lists,
  created_at: isoTime(row.created_at),
});
