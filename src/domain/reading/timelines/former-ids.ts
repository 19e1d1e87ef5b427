// Translates former ids of notifications. They were given small ids (migrations/0356); apps and devices have kept some
// of the ids from before, which were above 2^53, and page and mark by them.

import type { App } from "../../../platform/app.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { selectNotificationUpTo } from "./queries-markers.ts";

/** Decides by the text, without a BigInt for nearly all. */
const isFormer = (id: string | null): id is string =>
  id !== null && id.length > 15 && BigInt(id) >= 2n ** 53n;

/** Returns the newest notification up to this one, by its present id; "0" where none is left. */
const upTo = async (app: App, accountId: string, former: string): Promise<string> =>
  (await selectNotificationUpTo(app.sql, accountId, former)) ?? "0";

/** Returns how far somebody read, by present ids. */
export const readUpTo = async (app: App, accountId: string, id: string): Promise<string> =>
  isFormer(id) ? upTo(app, accountId, id) : id;

/** Returns the bounds of a page by present ids. */
export const presentPage = async (app: App, accountId: string, page: Page): Promise<Page> => {
  const { maxId, sinceId, minId } = page;
  if (![maxId, sinceId, minId].some(isFormer)) return page;
  const below = async (id: string): Promise<string> =>
    String(BigInt(await upTo(app, accountId, String(BigInt(id) - 1n))) + 1n);
  return {
    ...page,
    maxId: isFormer(maxId) ? await below(maxId) : maxId,
    sinceId: sinceId && (await readUpTo(app, accountId, sinceId)),
    minId: minId && (await readUpTo(app, accountId, minId)),
  };
};

/** Returns the present id of the notification that had this one; the id itself where it is a present one. */
export const presentId = async (app: App, accountId: string, id: string): Promise<string> => {
  if (!isFormer(id)) return id;
  const [upToIt, before] = [
    await upTo(app, accountId, id),
    await upTo(app, accountId, String(BigInt(id) - 1n)),
  ];
  return upToIt === before ? id : upToIt;
};
