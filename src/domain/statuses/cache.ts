// Statuses as they were last read, without any viewer's part, until they are invalidated
// (docs/decisions/0003-status-cache.md, 0019-caches.md).

import type { App } from "../../platform/app.ts";
import { recordCache } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import type { Db } from "../../platform/db/index.ts";
import { emojisInTexts, remoteEmojis } from "../emojis/load.ts";
import { numberOfStatus } from "./numbers.ts";
import { selectStatuses } from "./queries.ts";
import { withPictures } from "./reactions.ts";
import type { CachedRow, StatusRow } from "./tables.ts";

/** Longer ones are not cached: their authors choose how long they are. */
const MAX_BYTES = 128 * 1024;
/** Of the view without a viewer: another object with the same members. */
const VIEW_BYTES = 500;

/**
 * With what is made of it when it is shown: the bytes of its JSON take about as much as the row, the
 * words for filters as much as its texts.
 */
export const sizeOfRow = (row: StatusRow): number =>
  2 * sizeOf(row) + row.content.length + row.spoiler_text.length + VIEW_BYTES;

export const statusCache = recordCache<CachedRow>({
  name: "statuses",
  kind: "status",
  // The server's own, in texts.
  everything: "emojis",
  size: ({ derived: _derived, ...row }) => sizeOfRow(row),
  maxBytes: MAX_BYTES,
});

/** What may have the server's own emojis in it. */
const ownTextsOf = ({ local, text, spoiler_text, poll }: StatusRow): string =>
  local ? [text, spoiler_text, ...(poll?.options ?? [])].join("\n") : "";

/** Each row that is read has another one: what was derived from it names it by this. */
let lastNumber = 0;

const read = (app: App, db: Db, ids: string[]): Promise<CachedRow[]> =>
  statusCache(app, db).fill(async (put) => {
    const selected = await selectStatuses(db, ids);
    const emojis = await emojisInTexts(app, db, selected.map(ownTextsOf));
    const remote = await remoteEmojis(
      app,
      selected.map(({ uri, local, emojis: theirs }) => ({ uri, emojis: local ? [] : theirs })),
    );
    const reactions = await withPictures(
      app,
      selected.flatMap((row) => row.reactions),
    );
    const rows = selected.map((row, n) => ({
      ...row,
      reactions: reactions.splice(0, row.reactions.length),
      emojis: row.local ? emojis[n]! : remote[n]!,
      derived: {
        plain: null,
        bytes: null,
        words: null,
        shared: null,
        number: ++lastNumber,
        marks: numberOfStatus(app, row.id),
      },
    }));
    for (const row of rows) put(row.id, row);
    return rows;
  });

const quotedBy = (rows: Map<string, CachedRow>): string[] => {
  const ids: string[] = [];
  for (const { quote } of rows.values()) {
    if (quote?.state === "accepted" && quote.quoted_status_id) ids.push(quote.quoted_status_id);
  }
  return ids;
};

/**
 * Rows by id, with those that they reblog and quote; at most four queries, two where nothing is
 * quoted, none when all are cached.
 */
export const cachedStatuses = async (
  app: App,
  db: Db,
  ids: string[],
): Promise<Map<string, CachedRow>> => {
  const cache = statusCache(app, db);
  const found = new Map<string, CachedRow>();
  const lookUp = async (wanted: Iterable<string>): Promise<void> => {
    const missing: string[] = [];
    for (const id of wanted) {
      const present = found.get(id) ?? cache.get(id);
      if (present) found.set(id, present);
      else missing.push(id);
    }
    if (missing.length === 0) return;
    for (const row of await read(app, db, [...new Set(missing)])) found.set(row.id, row);
  };
  await lookUp(ids);
  const targets: string[] = [];
  for (const row of found.values()) if (row.reblog_of_id) targets.push(row.reblog_of_id);
  if (targets.length > 0) await lookUp(targets);
  // What is quoted, and what that quotes (load.ts).
  const quoted = quotedBy(found);
  if (quoted.length === 0) return found;
  await lookUp(quoted);
  await lookUp(quotedBy(found));
  return found;
};
