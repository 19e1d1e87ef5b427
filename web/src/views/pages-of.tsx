// Divides a list that the API returns whole into pages, with links between them.

import { addressOf, useApp } from "../app.ts";
import type { Place } from "../app.ts";

export type PartOf<T> = {
  entries: T[];
  /** Number of entries before these. */
  from: number;
  /** Number of entries on a page. */
  size: number;
  /** Number of entries in the whole list. */
  total: number;
};

/** Returns the page that `from` in the address names; the last one where the list ends before it. */
export const partOf = <T,>(all: readonly T[], { query }: Place, size: number): PartOf<T> => {
  const last = Math.max(0, Math.ceil(all.length / size) - 1);
  const named = Math.floor(Number(query["from"] ?? 0) / size) || 0;
  const from = size * Math.min(Math.max(0, named), last);
  return { entries: all.slice(from, from + size), from, size, total: all.length };
};

type Props = Pick<PartOf<unknown>, "from" | "size" | "total"> & {
  /** True within a sheet, where the pages replace each other. */
  isSheet?: boolean;
};

/** Draws nothing where all of the list is on one page. */
export const PagesOf = ({ from, size, total, isSheet }: Props) => {
  const { t, place } = useApp();
  if (total <= size) return null;
  const at = (start: number) => ({
    class: "button plain small",
    href: addressOf({ ...place, query: { ...place.query, from: String(start) } }),
    "data-sheet": isSheet,
  });
  const last = Math.min(from + size, total);
  return (
    <p class="pager">
      {from > 0 && <a {...at(from - size)}>{t("pages.previous")}</a>}{" "}
      <span class="soft small">{t("pages.shown", { first: from + 1, last, count: total })}</span>{" "}
      {last < total && <a {...at(last)}>{t("pages.next")}</a>}
    </p>
  );
};
