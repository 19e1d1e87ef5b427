// Writes drafts and scheduled posts as they were sent. The ids in them are of this server, so that addresses and titles
// are added, by which another server finds what they refer to.

import type { App } from "../../../../platform/app.ts";
import { isoTime, parseId } from "../../../../platform/ids/index.ts";
import { asPerson } from "../../../../platform/viewer.ts";
import { listsOf } from "../../../people/lists/load.ts";
import type { Draft } from "../../../posts/statuses/post.ts";
import { loadVisible } from "../../../posts/statuses/load.ts";
import { PAGE, selectDrafts, selectScheduled } from "./queries.ts";

type Names = { posts: Map<string, string>; lists: Map<string, string> };

const postIds = ({ in_reply_to_id: parentId, quoted_status_id: quotedId }: Draft): string[] =>
  [parentId, quotedId].flatMap((id) => parseId(id ?? "") ?? []);

/** Returns names only of posts that the person may see: a draft can contain any id. */
const namesOf = async (app: App, accountId: string, drafts: Draft[]): Promise<Names> => {
  const ids = [...new Set(drafts.flatMap(postIds))];
  const posts = new Map<string, string>();
  for (let at = 0; at < ids.length; at += PAGE) {
    const views = await loadVisible(app, ids.slice(at, at + PAGE), asPerson(accountId));
    for (const { id, uri } of views) posts.set(id, uri);
  }
  const lists = await listsOf(app, accountId);
  return { posts, lists: new Map(lists.map(({ id, title }) => [id, title])) };
};

const named = (draft: Draft, { posts, lists }: Names) => {
  const [parent, quoted] = [draft.in_reply_to_id, draft.quoted_status_id].map((id) =>
    posts.get(id ?? ""),
  );
  const titles = (draft.list_ids ?? []).flatMap((id) => lists.get(id) ?? []);
  return {
    ...draft,
    ...(parent && { in_reply_to_uri: parent }),
    ...(quoted && { quoted_status_uri: quoted }),
    ...(titles.length > 0 && { list_titles: titles }),
  };
};

export const draftEntries = async (app: App, accountId: string): Promise<object[]> => {
  const rows = [...(await selectDrafts(app.sql, accountId))];
  const all = rows.flatMap(({ statuses }) => statuses);
  const names = await namesOf(app, accountId, all);
  return rows.map((row) => ({
    ...row,
    statuses: row.statuses.map((draft) => named(draft, names)),
  }));
};

export const scheduledEntries = async (app: App, accountId: string): Promise<object[]> => {
  const rows = [...(await selectScheduled(app.sql, accountId))];
  const all = rows.flatMap(({ params }) => [params, ...(params.thread ?? [])]);
  const names = await namesOf(app, accountId, all);
  return rows.map(({ params: { thread, ...first }, ...row }) => ({
    ...row,
    scheduled_at: isoTime(row.scheduled_at),
    params: {
      ...named(first, names),
      ...(thread && { thread: thread.map((draft) => named(draft, names)) }),
    },
  }));
};
