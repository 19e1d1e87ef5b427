// What a viewer's filters find in the statuses of a page, in one pass
// (docs/decisions/0010-filters.md).

import { storedText } from "../../platform/text/plain.ts";
import { foldWords, matchAll, NO_MATCHES } from "../filters/match.ts";
import type { FilterSet } from "../filters/match.ts";
import type { CachedRow, StatusView } from "./tables.ts";

/** All that a reader could read: warning, text, options of a poll, descriptions of media. */
export const wordsOf = (row: CachedRow): string =>
  (row.derived.words ??= foldWords(
    [
      row.spoiler_text,
      storedText(row.content),
      ...(row.poll?.options ?? []),
      ...row.media.map((one) => one.description ?? ""),
    ]
      .filter((text) => text !== "")
      .join("\n\n"),
  ));

/** Of a reblog: the text of the original, and both ids. */
const searched = (view: StatusView) => {
  const { row, id } = view.reblog ?? view;
  const ids = view.reblog ? [view.id, id] : [id];
  return { number: row.derived.number, ids, words: () => wordsOf(row) };
};

/** What the statuses, or the originals of reblogs, quote: it is filtered with them. */
const quotedIn = (views: StatusView[]): StatusView[] =>
  views.flatMap((view) => (view.reblog ?? view).quote?.status ?? []);

/** Writes the matches into the views' viewer parts. A person's own posts are not filtered. */
export const applyFilters = (set: FilterSet, views: StatusView[], now: () => Date): void => {
  if (set.filters.length === 0) return;
  const others = [...views, ...quotedIn(views)].filter(
    (view) => view.viewer && (view.reblog ?? view).account_id !== view.viewer.id,
  );
  const matches = matchAll(set, others.map(searched), now());
  for (const [index, view] of others.entries()) {
    const filtered = matches[index]!;
    if (filtered === NO_MATCHES) continue;
    view.viewer!.filtered = filtered;
    if (view.reblog?.viewer) view.reblog.viewer.filtered = filtered;
  }
};
