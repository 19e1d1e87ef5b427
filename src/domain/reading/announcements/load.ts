// Loads announcement views in a fixed number of queries: rows, reactions, people, posts, emojis.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { extractLinks, extractMentions } from "../../../platform/text/extract.ts";
import { NOBODY } from "../../../platform/viewer.ts";
import { findAccounts } from "../../people/accounts/find.ts";
import { findEmojis, shortcodesOf } from "../../base/emojis/load.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import {
  ANNOUNCEMENTS_CHANGED,
  selectAll,
  selectAnyAnnouncement,
  selectCurrent,
  selectReactions,
} from "./queries.ts";
import type { AnnouncementRow, AnnouncementView } from "./tables.ts";

type Read = AnnouncementRow & { read: boolean | null };

const linksOf = (row: AnnouncementRow): string[] => extractLinks(row.text).map(({ url }) => url);

/** Returns the ids in URLs of local posts, which are only candidates until the posts have been read. */
const statusIdsOf = (origin: string, row: AnnouncementRow): string[] =>
  linksOf(row)
    .filter((url) => url.startsWith(`${origin}/`))
    .flatMap((url) => parseId(/\/(\d{1,19})$/.exec(url)?.[1]) ?? []);

const mentioned = (app: App, rows: Read[]) => {
  const handles = rows.flatMap((row) => extractMentions(row.text));
  const keyed = handles.map(({ handle, ...rest }) => ({ key: handle, ...rest }));
  return findAccounts(app, keyed, false);
};

const assemble = async (
  app: App,
  rows: Read[],
  viewerId: string | null,
): Promise<AnnouncementView[]> => {
  if (rows.length === 0) return [];
  const { origin } = app.config.site;
  const ids = rows.map((row) => row.id);
  const statusIds = [...new Set(rows.flatMap((row) => statusIdsOf(origin, row)))];
  const [reactions, mentions, statuses] = await Promise.all([
    selectReactions(app.sql, ids, viewerId),
    mentioned(app, rows),
    loadVisible(app, statusIds, NOBODY),
  ]);
  const codes = rows.flatMap((row) => shortcodesOf(row.text));
  const emojis = await findEmojis(app, [...codes, ...reactions.map((reaction) => reaction.name)]);
  return rows.map((row) => {
    const links = new Set(linksOf(row));
    return {
      ...row,
      reactions: reactions.filter((reaction) => reaction.announcement_id === row.id),
      mentions,
      statuses: statuses.filter((view) => links.has(view.url ?? "") || links.has(view.uri)),
      emojis,
    };
  });
};

/** Caches whether there is any announcement, which each home page asks for. */
const hasAnnouncements = listenedValue<boolean>({
  name: "whether something is announced",
  channel: "settings",
  key: ANNOUNCEMENTS_CHANGED,
  read: selectAnyAnnouncement,
});

/** Returns the current ones, in order of their time. */
export const listAnnouncements = async (
  app: App,
  viewerId: string,
): Promise<AnnouncementView[]> => {
  if (!(await hasAnnouncements(app))) return [];
  return assemble(app, await selectCurrent(app.sql, viewerId, app.clock.now()), viewerId);
};

/** Returns all, newest first, current or not. */
export const everyAnnouncement = (app: App): Promise<AnnouncementRow[]> => selectAll(app.sql);

/** Loads without a viewer, for the streams of everybody. */
export const viewAnnouncement = async (app: App, row: AnnouncementRow): Promise<AnnouncementView> =>
  (await assemble(app, [{ ...row, read: null }], null))[0]!;
