// Exports files of a person's data, read a page at a time while they are sent: little of a long one is in memory, and
// no connection of the database waits for a slow reader.

import { Readable } from "node:stream";
import type { App } from "../../../platform/app.ts";
import { filtersFile, fileOf, headingsOf, linesOf } from "./formats.ts";
import { PAGE, selectFilterEntries, selectPage, selectTotals } from "./queries-export.ts";
import type { Listing, Totals } from "./queries-export.ts";
import { KINDS } from "./tables.ts";
import type { Kind } from "./tables.ts";

export type { Totals };

/** Kinds that may be exported, including followers. */
export type ExportKind = Kind | "followers";

export const EXPORT_KINDS: readonly ExportKind[] = [...KINDS, "followers"];

/** The files that apps and pages offer, in the order of the page, with the scope that an app needs. */
export const EXPORTS = Object.entries({
  following: "read:follows",
  followers: "read:follows",
  lists: "read:lists",
  blocks: "read:blocks",
  mutes: "read:mutes",
  domain_blocks: "read:blocks",
  bookmarks: "read:bookmarks",
  filters: "read:filters",
  account_notes: "read:accounts",
  followed_tags: "read:follows",
  muted_tags: "read:mutes",
  saved_searches: "read:search",
} satisfies Record<ExportKind, string>) as [ExportKind, scope: string][];

/** The last part of their addresses, with the names of GoToSocial. */
export const exportName = (kind: ExportKind): string =>
  kind === "filters" ? "custom_filters.json" : `${kind}.csv`;

const lines = async function* (app: App, listing: Listing, accountId: string) {
  const format = listing === "followers" ? "blocks" : listing;
  yield headingsOf(format);
  const { localDomain } = app.config.site;
  for (let after: string | null = null; ;) {
    const page = await selectPage(app.sql, listing, accountId, after, localDomain);
    if (page.length > 0) yield linesOf(format, page);
    if (page.length < PAGE) return;
    after = page.at(-1)!.page_id;
  }
};

type ExportFile = { name: string; type: string; body: Readable };

export const exportFile = async (
  app: App,
  kind: ExportKind,
  accountId: string,
): Promise<ExportFile> => {
  if (kind === "filters") {
    const filters = await selectFilterEntries(app.sql, accountId);
    const text = filtersFile(
      filters.map((filter) => ({ ...filter, expire_at: filter.expire_at?.toISOString() ?? null })),
    );
    return {
      name: fileOf(kind),
      type: "application/json; charset=utf-8",
      body: Readable.from([text]),
    };
  }
  const name = kind === "followers" ? "followers.csv" : fileOf(kind);
  const body = Readable.from(lines(app, kind, accountId));
  return { name, type: "text/csv; charset=utf-8", body };
};

/** Counts the entries of each kind. */
export const exportTotals = (app: App, accountId: string): Promise<Totals> =>
  selectTotals(app.sql, accountId);
