// Pages that few people open are loaded on demand, so that the first view of the others is light.

import { withTexts } from "../texts/texts.ts";
import type { AnyPage } from "./page.ts";

type Options = Pick<AnyPage, "path" | "isForMembers">;

const lazyPage = (options: Options, find: () => Promise<AnyPage>): AnyPage => {
  let page: AnyPage | null = null;
  const ready = async (): Promise<AnyPage> => (page ??= await withTexts(find()));
  return {
    ...options,
    ready,
    get Menu() {
      return page?.Menu;
    },
    load: async (loading) => (await ready()).load(loading),
    View: ({ data }) => {
      const View = page?.View;
      return View ? <View data={data} /> : null;
    },
    head: (data, about) => page?.head(data, about) ?? { title: "", isHidden: true },
  };
};

type Group = { isForMembers?: boolean };

/** Makes pages of one file, which is loaded when the first of them is opened. */
export const lazyPages = (
  paths: readonly string[],
  find: () => Promise<readonly AnyPage[]>,
  { isForMembers = false }: Group = {},
): AnyPage[] =>
  paths.map((path) =>
    lazyPage({ path, isForMembers }, async () => {
      const page = (await find()).find((each) => each.path === path);
      if (!page) throw new Error(`no page is at ${path}`);
      return page;
    }),
  );
