// Who is to be told of a status: the lists that the flows ask for.

import type { App } from "../../platform/app.ts";
import type { StatusView } from "../statuses/tables.ts";
import { openToFollowers } from "../statuses/visibility.ts";
import { selectLocalRebloggers, selectNotifyingFollowers } from "./queries.ts";

/** People here who are named in the text. */
export const mentionedHere = (view: StatusView): string[] =>
  view.mentions
    .filter((mention) => mention.domain === null && !mention.silent)
    .map((mention) => mention.id);

const isReplyToAnother = (view: StatusView): boolean =>
  view.in_reply_to_id !== null && view.in_reply_to_account_id !== view.account_id;

/** Followers here who asked for every post; not for reblogs, direct posts, or replies to others. */
export const notifyingFollowers = async (app: App, view: StatusView): Promise<string[]> => {
  if (view.reblog_of_id !== null || !openToFollowers(view) || isReplyToAnother(view)) return [];
  return selectNotifyingFollowers(app.sql, view.account_id, view.language);
};

/** People here who reblogged it. */
export const rebloggersHere = (app: App, view: StatusView): Promise<string[]> =>
  selectLocalRebloggers(app.sql, view.id);
