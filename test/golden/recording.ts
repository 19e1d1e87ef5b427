// Reads the recorded exchanges with a running Mastodon (rest.json).

import { readFileSync } from "node:fs";

export type Who = "anon" | "alice" | "bob" | "carol";

export type Exchange = {
  /** Name in the form group/step. */
  name: string;
  who: Who;
  /** The method AP stands for a GET that accepts ActivityPub. */
  request: { method: string; path: string; body?: Record<string, unknown> };
  response: { status: number; headers: Record<string, string>; json?: unknown; text?: string };
};

export const readExchanges = (): Exchange[] => {
  const file = new URL("rest.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { exchanges: Exchange[] }).exchanges;
};

export const groupOf = (name: string): string => name.slice(0, name.indexOf("/"));
