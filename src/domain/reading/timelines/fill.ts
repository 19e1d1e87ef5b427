// Fills a page from which posts are hidden from the viewer: apps take an empty page for the end of a list.

import type { App } from "../../../platform/app.ts";
import { ascending, inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { FEED_LENGTH } from "../../../platform/feeds/index.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { loadStatuses } from "../../posts/statuses/load.ts";
import { belongsInList } from "../../posts/statuses/rules.ts";
import type { SeenStatus, StatusView } from "../../posts/statuses/tables.ts";

/** `read` finds those beyond the page, of which so many were looked at; null where they are not known yet. */
export type Filling = {
  ids: string[];
  page: Page;
  read?: (page: Page, looked: number) => Promise<string[] | null>;
  isShown?: (view: StatusView) => view is SeenStatus;
};

/** Ids that are read at most beyond a page that is not full, at a time. */
const MORE = 200;

/** Reads on, twice as many each time, until the page is full or the list is at its end. */
export const fill = async (app: App, viewer: Viewer, filling: Filling) => {
  const { ids, page, read, isShown = belongsInList } = filling;
  const { limit } = page;
  const [looked, shown]: [string[], SeenStatus[]] = [[], []];
  let [part, count, isEnd]: [string[] | null, number, boolean] = [ids, limit, false];
  while (part) {
    const views = (await loadStatuses(app, part, viewer)).filter(isShown);
    looked.push(...inOrder(page, part));
    shown.push(...inOrder(page, views));
    isEnd = part.length < count;
    if (!read || isEnd || shown.length >= limit || looked.length >= FEED_LENGTH) break;
    count = Math.min(MORE, 2 * count);
    const beyond = { [ascending(page) ? "minId" : "maxId"]: looked.at(-1)!, limit: count };
    part = await read({ ...page, ...beyond }, looked.length);
  }
  const isCut = shown.splice(limit).length > 0;
  if (isCut) looked.splice(looked.indexOf(shown.at(-1)!.id) + 1);
  return { ids: inOrder(page, looked), views: inOrder(page, shown), isEnd: isEnd && !isCut };
};
