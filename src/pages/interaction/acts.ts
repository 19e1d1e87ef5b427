// What the forms of an interaction do: the same commands as the API's.

import type { App } from "../../platform/app.ts";
import { follow } from "../../domain/relationships/follow.ts";
import { unfollow } from "../../domain/relationships/unfollow.ts";
import { favouriteStatuses, unfavouriteStatuses } from "../../domain/statuses/favourite.ts";
import { reblogStatus, unreblog } from "../../domain/statuses/reblog.ts";
import type { SeenStatus } from "../../domain/statuses/tables.ts";

export type AccountAct = (app: App, by: string, targetId: string) => Promise<unknown>;
export type StatusAct = (app: App, by: string, view: SeenStatus) => Promise<unknown>;

export const ACCOUNT_ACTS: Record<string, AccountAct> = {
  follow: (app, accountId, targetId) => follow(app, { accountId, targetId }),
  unfollow: (app, accountId, targetId) => unfollow(app, { accountId, targetId }),
};

export const STATUS_ACTS: Record<string, StatusAct> = {
  favourite: (app, accountId, { id }) =>
    favouriteStatuses(app, app.sql, [{ accountId, statusId: id }]),
  unfavourite: (app, accountId, { id }) =>
    unfavouriteStatuses(app, app.sql, [{ accountId, statusId: id }]),
  boost: (app, accountId, view) => reblogStatus(app, accountId, view),
  unboost: (app, accountId, { id }) => unreblog(app, accountId, id),
};
