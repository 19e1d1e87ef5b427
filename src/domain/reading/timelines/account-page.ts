// Returns the statuses of one account, as its viewer may see them. The first page is by far the most requested one: its
// ids are cached for everybody and filtered for each viewer by the rules (docs/design/caches.md).

import type { App } from "../../../platform/app.ts";
import { cachedReader } from "../../../platform/caches/records.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { loadStatuses } from "../../posts/statuses/load.ts";
import { belongsInList, canSee, isAddressed } from "../../posts/statuses/rules.ts";
import type { SeenStatus, StatusView } from "../../posts/statuses/tables.ts";
import { KINDS, selectAccountStatuses, selectNewest } from "./queries-account.ts";
import type { AccountFilter, Newest } from "./queries-account.ts";

/** Ids that are cached; where they do not fill the page, SQL finds the rest. */
const CACHED_IDS = 60;

/** Newest and pinned ids; each new and deleted status of the account invalidates them, and each pin. */
const newestIds = cachedReader<Newest>(
  { name: "account pages", kind: "account", size: sizeOf },
  (db, accountId) => selectNewest(db, accountId, CACHED_IDS),
);

const fitting = ({ ids, kinds }: Newest, filter: AccountFilter): string[] => {
  const left =
    (filter.excludeReplies ? KINDS.reply : 0) +
    (filter.excludeReblogs ? KINDS.reblog : 0) +
    (filter.excludeDirect ? KINDS.direct : 0);
  return ids.filter((_id, n) => {
    const kind = Number.parseInt(kinds[n]!, 16);
    return (kind & left) === 0 && (filter.pinned ? (kind & KINDS.pinned) > 0 : n < CACHED_IDS);
  });
};

/** Returns loaded what selectAccountStatuses would find; null where it has to be queried. */
const cachedPage = async (
  app: App,
  account: AccountView,
  page: Page,
  filter: AccountFilter,
): Promise<StatusView[] | null> => {
  if ((filter.tag ?? page.maxId ?? page.sinceId ?? page.minId) !== null) return null;
  if (filter.onlyMedia) return null;
  const newest = await newestIds(app, account.id);
  const ids = fitting(newest, filter);
  const addressed = async (some: string[]) =>
    (await loadStatuses(app, some, filter.viewer)).filter(isAddressed);
  const shown = await addressed(ids.slice(0, page.limit));
  if (shown.length < page.limit) shown.push(...(await addressed(ids.slice(page.limit))));
  const isWhole = filter.pinned || newest.ids.length < CACHED_IDS;
  return isWhole || shown.length >= page.limit ? shown.slice(0, page.limit) : null;
};

const readPage = async (app: App, accountId: string, page: Page, filter: AccountFilter) => {
  const rows = await selectAccountStatuses(app.sql, accountId, page, filter);
  const ids = inOrder(page, [...rows]).map((row) => row.id);
  return loadStatuses(app, ids, filter.viewer);
};

/**
 * Returns whether the status is shown: a person who opens the page of somebody they muted wants to see it, but not
 * boosts of others whom they muted.
 */
const isWanted = (view: StatusView): boolean => !view.reblog || belongsInList(view.reblog);

/** Returns whether the author blocks the viewer, who gets nothing, not even ids for the links to other pages. */
const isDenied = (views: StatusView[]): boolean => views[0]?.viewer?.relation?.blocked_by === true;

type AccountPage = {
  /** Ids of everything on the page, shown or not, after which the next page begins. */
  ids: string[];
  views: SeenStatus[];
};

/** `account` must not be suspended. */
export const accountPage = async (
  app: App,
  account: AccountView,
  page: Page,
  filter: AccountFilter,
): Promise<AccountPage> => {
  const views =
    (await cachedPage(app, account, page, filter)) ??
    (await readPage(app, account.id, page, filter));
  if (isDenied(views)) return { ids: [], views: [] };
  return { ids: views.map(({ id }) => id), views: views.filter(canSee).filter(isWanted) };
};
