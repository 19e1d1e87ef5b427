// What the forms of an interaction do: the same commands as the API's.

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import { loadPerson } from "../../domain/accounts/settings.ts";
import { follow } from "../../domain/relationships/follow.ts";
import { unfollow } from "../../domain/relationships/unfollow.ts";
import { composeStatus } from "../../domain/statuses/compose.ts";
import { createStatus } from "../../domain/statuses/create.ts";
import { favouriteStatuses, unfavouriteStatuses } from "../../domain/statuses/favourite.ts";
import { reblogStatus, unreblog } from "../../domain/statuses/reblog.ts";
import { VISIBILITIES } from "../../domain/statuses/tables.ts";
import type { SeenStatus } from "../../domain/statuses/tables.ts";
import type { Reply } from "./status.ts";

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

type Texts = Partial<Record<string, string>>;

export const readReply = (form: Texts, { visibility: widest }: SeenStatus): Reply => ({
  text: form["status"] ?? "",
  warning: form["spoiler_text"] ?? "",
  visibility: VISIBILITIES.find((one) => one === form["visibility"]) ?? widest,
});

/** Posts the reply; the same `key` again posts nothing new. 422 for a text that cannot be posted. */
export const postReply = async (
  app: App,
  by: string,
  view: SeenStatus,
  { text, warning, visibility, key }: Reply & { key: string },
): Promise<void> => {
  const author = await loadPerson(app, by);
  if (!author) throw new NotFound();
  const draft = { status: text, spoiler_text: warning, visibility, in_reply_to_id: view.id };
  const idempotencyKey = key ? `interaction:${key.slice(0, 100)}` : null;
  await createStatus(app, await composeStatus(app, author, draft, { appId: null, idempotencyKey }));
};
