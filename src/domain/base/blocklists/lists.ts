// The lists as they are stored: pages, single entries, adding, changing and removing. Who may do it is checked by
// moderation, which also records it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { domainsAbove } from "./domains.ts";
import { canonicalHash, HISTORY_DAYS } from "./emails.ts";
import {
  insertCanonical,
  selectAllDomainAllows,
  selectAllDomainBlocks,
  selectAllEmailBlocks,
  selectAllIpBlocks,
  selectById,
  selectCanonicalByHash,
  selectDomainAllow,
  selectDomainBlocks,
  selectPage,
  selectTries,
  lockDomainBlock,
  updateDomainBlock,
  updateIpBlock,
} from "./queries.ts";
import type { Blocklist, IpChange, RowOf } from "./queries.ts";
import type {
  CanonicalBlockRow,
  DomainAllowRow,
  DomainBlockInput,
  DomainBlockRow,
  EmailDomainBlockRow,
  IpBlockRow,
  TriesRow,
} from "./tables.ts";

export {
  deleteBlock as removeBlock,
  insertBlock as addBlock,
  selectCount as countBlocks,
} from "./queries.ts";
export type { Blocklist, IpChange, RowOf };

/** Returns the newest entries first. */
export const pageOfBlocks = async <T extends Blocklist>(
  app: App,
  list: T,
  page: Page,
): Promise<RowOf[T][]> => inOrder(page, await selectPage(app.sql, list, page));

/** Throws NotFound for an unknown entry. */
export const getBlock = async <T extends Blocklist>(
  app: App,
  list: T,
  id: string,
): Promise<RowOf[T]> => orNotFound(await selectById(app.sql, list, id));

/** Returns the block of the domain itself first, then those of the domains above it. */
export const domainBlocksAmong = async (db: Db, domain: string): Promise<DomainBlockRow[]> => {
  const bare = domain.replace(/:\d+$/, "");
  const rows = await selectDomainBlocks(db, [domain, ...domainsAbove(bare)]);
  return rows.toSorted((block, other) => other.domain.length - block.domain.length);
};

/** Throws NotFound for an unknown block, ChangedSince for one that is no longer what the form of this mark showed. */
export const changeDomainBlock = async (
  db: Db,
  id: string,
  change: DomainBlockInput,
  mark?: string,
): Promise<{ before: DomainBlockRow; after: DomainBlockRow }> => {
  const before = orNotFound(await lockDomainBlock(db, id));
  requireAsDrawn(before, mark, change);
  const isNothing = Object.keys(change).length === 0;
  return { before, after: isNothing ? before : (await updateDomainBlock(db, id, change))! };
};

/** Throws NotFound for an unknown block. */
export const changeIpBlock = async (db: Db, id: string, change: IpChange): Promise<IpBlockRow> => {
  const isNothing = Object.keys(change).length === 0;
  return orNotFound(
    isNothing ? await selectById(db, "ip_blocks", id) : await updateIpBlock(db, id, change),
  );
};

export const findAllow = (app: App, domain: string): Promise<DomainAllowRow | null> =>
  selectDomainAllow(app.sql, domain);

export const findCanonical = async (app: App, hash: string): Promise<CanonicalBlockRow | null> =>
  (await selectCanonicalByHash(app.sql, hash))[0] ?? null;

/** Blocks the address of a deleted account, so that nobody signs up with it again. */
export const blockEmail = async (db: Db, email: string, accountId: string): Promise<void> => {
  await insertCanonical(db, canonicalHash(email), accountId);
};

/** Counts the sign-ups that the blocks of mail providers stopped in the last days. */
export const loadTries = async (
  app: App,
  rows: EmailDomainBlockRow[],
): Promise<Map<string, TriesRow[]>> => {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const since = addDays(app.clock.now(), 1 - HISTORY_DAYS);
  return Map.groupBy(await selectTries(app.sql, ids, since), (row) => row.block_id);
};

/** Returns a whole list, for files. */
export const allDomainBlocks = (app: App): Promise<DomainBlockRow[]> =>
  selectAllDomainBlocks(app.sql);
export const allDomainAllows = (app: App): Promise<{ domain: string }[]> =>
  selectAllDomainAllows(app.sql);
export const allIpBlocks = (app: App): Promise<IpBlockRow[]> => selectAllIpBlocks(app.sql);
export const allEmailDomainBlocks = (app: App): Promise<EmailDomainBlockRow[]> =>
  selectAllEmailBlocks(app.sql);
