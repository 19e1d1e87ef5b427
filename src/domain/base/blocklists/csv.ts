// Reads and writes lists of domain blocks as files in Mastodon's format: with headings, or one domain a line.

import { parseCsv, writeCsv } from "../../../platform/text/csv.ts";
import { readDomain } from "./domains.ts";
import { DOMAIN_SEVERITIES } from "./tables.ts";
import type { DomainBlockRow, DomainSeverity } from "./tables.ts";

const HEADER = [
  "#domain",
  "#severity",
  "#reject_media",
  "#reject_reports",
  "#public_comment",
  "#obfuscate",
];

/** A line of a file says this about one server. */
export type DomainEntry = Omit<DomainBlockRow, "id" | "private_comment" | "created_at">;

const csvRow = (row: DomainBlockRow): string[] => [
  row.domain,
  row.severity,
  String(row.reject_media),
  String(row.reject_reports),
  row.public_comment ?? "",
  String(row.obfuscate),
];

export const writeDomainCsv = (rows: DomainBlockRow[]): string =>
  writeCsv([HEADER, ...rows.map(csvRow)]);

/** Writes a list of allowed servers in Mastodon's format. */
export const writeAllowCsv = (domains: readonly string[]): string =>
  writeCsv([["#domain"], ...domains.map((domain) => [domain])]);

const isTrue = (text: string | undefined): boolean => /^(?:true|1|t|yes)$/i.test(text ?? "");

const MAX_COMMENT = 2000;

type Cell = (name: string) => string | undefined;

const entryOf = (domain: string, cell: Cell): DomainEntry | null => {
  const text = cell("severity")?.toLowerCase() || "suspend";
  const severity = DOMAIN_SEVERITIES.find((severity) => severity === text);
  if (!severity) return null;
  return {
    domain,
    severity,
    reject_media: isTrue(cell("reject_media")),
    reject_reports: isTrue(cell("reject_reports")),
    public_comment: cell("public_comment")?.slice(0, MAX_COMMENT).toWellFormed() || null,
    obfuscate: isTrue(cell("obfuscate")),
  };
};

export const strictness = (severity: DomainSeverity): number => DOMAIN_SEVERITIES.indexOf(severity);

/** Merges two lines about the same server: the stricter severity wins, and whatever either line refuses is refused. */
export const stricter = <T extends DomainEntry>(entry: T, other: T): T => {
  const [strict, mild] =
    strictness(entry.severity) >= strictness(other.severity) ? [entry, other] : [other, entry];
  return {
    ...strict,
    reject_media: strict.reject_media || mild.reject_media,
    reject_reports: strict.reject_reports || mild.reject_reports,
  };
};

/**
 * Most rows read from one file, remarks and faulty lines included, so that a publisher cannot keep this server busy.
 */
const MAX_ROWS = 200_000;

const nameOf = (heading: string): string => heading.trim().replace(/^#\s*/, "").toLowerCase();

/**
 * Reads entries by the names of the columns, with or without #. Each domain appears once, with the stricter of its
 * lines. Without a line of headings the first column is the domain, and lines that begin with # are remarks. `refused`
 * has the lines without a valid domain or severity.
 */
export const readDomainCsv = (source: string): { entries: DomainEntry[]; refused: string[] } => {
  const [first = [], ...rest] = parseCsv(source.replaceAll("\0", ""), MAX_ROWS);
  const isHeaded = first.some((name) => nameOf(name) === "domain");
  const columns = isHeaded
    ? new Map(first.map((name, index) => [nameOf(name), index]))
    : new Map([["domain", 0]]);
  const entries = new Map<string, DomainEntry>();
  const refused: string[] = [];
  for (const cells of isHeaded ? rest : [first, ...rest]) {
    const cell: Cell = (name) => cells[columns.get(name) ?? -1]?.trim();
    const name = cell("domain") ?? "";
    if (name === "" || name.startsWith("#")) continue;
    // The file lists people, and some lines have a word before the address.
    const isOfPeople = !isHeaded && cells.some((text) => text.includes("@"));
    const domain = isOfPeople ? null : readDomain(name);
    const entry = domain === null ? null : entryOf(domain, cell);
    const before = entry && entries.get(entry.domain);
    if (entry) entries.set(entry.domain, before ? stricter(before, entry) : entry);
    else refused.push(name.slice(0, 300));
  }
  return { entries: [...entries.values()], refused };
};
