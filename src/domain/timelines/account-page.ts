// The first page of an account, which is by far the most requested one: ids are cached for
// everybody and filtered for each viewer by the rules (docs/decisions/0005-pages-and-settings.md).

import type { App } from "../../platform/app.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import type { Page } from "../../platform/db/paging.ts";
import type { AccountView } from "../accounts/tables.ts";
import { loadStatuses } from "../statuses/load.ts";
import { isAddressed } from "../statuses/rules.ts";
import type { StatusView } from "../statuses/tables.ts";
import { selectNewest } from "./queries-account.ts";
import type { AccountFilter } from "./queries-account.ts";

/** How many ids are cached; where they do not fill the page, SQL finds the rest. */
const CACHED_IDS = 60;

/** Each new and each deleted status of an account invalidates the account. */
const newestIds = cachedReader<string[]>(
  { name: "account pages", kind: "account", size: sizeOf },
  (db, accountId) => selectNewest(db, accountId, CACHED_IDS),
);

const isFirst = (page: Page): boolean =>
  page.maxId === null && page.sinceId === null && page.minId === null;

const isWanted = (view: StatusView, filter: AccountFilter): boolean =>
  isAddressed(view) &&
  !(filter.excludeReblogs && view.reblog_of_id !== null) &&
  (!filter.excludeReplies ||
    view.in_reply_to_id === null ||
    view.in_reply_to_account_id === view.account_id);

/** What selectAccountStatuses would find, loaded; null: it has to be queried. */
export const cachedAccountPage = async (
  app: App,
  account: AccountView,
  page: Page,
  filter: AccountFilter,
): Promise<StatusView[] | null> => {
  const isPlain = !filter.onlyMedia && !filter.pinned && filter.tag === null;
  if (!isPlain || !isFirst(page)) return null;
  const ids = await newestIds(app, account.id);
  const views = await loadStatuses(app, ids.slice(0, page.limit), filter.viewer);
  const wanted = views.filter((view) => isWanted(view, filter));
  if (wanted.length >= page.limit || ids.length <= page.limit) return wanted;
  const rest = await loadStatuses(app, ids.slice(page.limit), filter.viewer);
  wanted.push(...rest.filter((view) => isWanted(view, filter)));
  return wanted.length >= page.limit || ids.length < CACHED_IDS
    ? wanted.slice(0, page.limit)
    : null;
};
