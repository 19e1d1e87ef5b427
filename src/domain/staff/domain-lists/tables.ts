// Row types of the domain-lists slice.

import type { DomainEntry } from "../../base/blocklists/csv.ts";
import type { DomainSeverity } from "../../base/blocklists/tables.ts";

/** What becomes of a severity of a list on this server. */
export type Mapped = DomainSeverity | "skip";
export type Severities = Record<DomainSeverity, Mapped>;

export type DomainListRow = {
  id: string;
  url: string;
  title: string;
  severities: Severities;
  retract: boolean;
  etag: string | null;
  entries: number;
  fault: string | null;
  fetched_at: Date | null;
  due_at: Date;
  created_at: Date;
};

export type ListedEntry = DomainEntry & { list_id: string };

/** A block that came from lists, as it was set. */
export type OwnBlock = { block_id: string; applied: Applied; retract: boolean };
export type Applied = Omit<DomainEntry, "domain">;

export type ChangeRow = {
  id: string;
  domain: string;
  change: "added" | "changed" | "removed";
  severity: DomainSeverity | null;
  before: DomainSeverity | null;
  /** Titles of the lists. */
  lists: string[];
  created_at: Date;
};
