// Pages that are a small form or list about a person or post. A link with `data-sheet` shows them above the page;
// without scripts, or for somebody who comes from elsewhere, they are pages of their own.

import type { FunctionComponent } from "preact";
import { useApp } from "../app.ts";
import type { Store } from "../store/store.ts";
import type { Translate } from "../texts/texts.ts";
import { ColumnHead } from "../views/frame.tsx";
import type { AnyPage, Loading, Page } from "./page.ts";

type Title<D> = (data: D, about: { t: Translate; store: Store }) => string;

type SheetParts<D> = {
  path: string;
  load(loading: Loading): Promise<D>;
  title: Title<D>;
  /** Everything but the heading. */
  Body: FunctionComponent<{ data: D }>;
  isForMembers?: boolean;
};

const bodies = new WeakMap<AnyPage, FunctionComponent<{ data: unknown }>>();

/** Returns what a sheet shows of a page. */
export const bodyOf = (page: AnyPage) => bodies.get(page) ?? null;

export const sheetPage = <D,>({
  path,
  load,
  title,
  Body,
  isForMembers = true,
}: SheetParts<D>): AnyPage => {
  const page: Page<D> = {
    path,
    isForMembers,
    load,
    View: ({ data }) => {
      const { t, store } = useApp();
      return (
        <>
          <ColumnHead title={title(data, { t, store })} back />
          <div class="prose">
            <Body data={data} />
          </div>
        </>
      );
    },
    head: (data, about) => ({ title: title(data, about), isHidden: true }),
  };
  bodies.set(page, Body as FunctionComponent<{ data: unknown }>);
  return page;
};
