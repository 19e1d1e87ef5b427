// What the views of the server's own pages can reach beside the app: the refused form, and texts of the server.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useApp } from "../app.ts";
import type { ServersPage } from "./pages.ts";
import type { Key, Words } from "./words.ts";

export type { Key, Words };

const Context = createContext<ServersPage | null>(null);

export const ServedProvider = Context.Provider;

export const useServed = (): ServersPage => {
  const page = useContext(Context);
  if (!page) throw new Error("a view of the server's pages was drawn outside of one");
  return page;
};

const PAGE_OF_STAFF = /^\/admin(?:\/|$)/;

/** Returns whether the reader may open the page of an address: of the staff's, those in the sections of their menu. */
export const useMayOpen = (): ((address: string) => boolean) => {
  const { staff } = useServed();
  const sections = staff?.menu.flatMap(({ entries }) => entries.map(({ path }) => path)) ?? [];
  return (address) => {
    const path = address.split(/[?#]/, 1)[0]!;
    if (!staff || !PAGE_OF_STAFF.test(path) || sections.includes(path)) return true;
    return sections.some((section) => section !== "/admin" && path.startsWith(`${section}/`));
  };
};

export const useWords = (): ((words: Words) => string) => {
  const { t } = useApp();
  return (words) => {
    if (typeof words === "string") return t(words);
    return "plain" in words ? words.plain : t(words[0], words[1]);
  };
};
