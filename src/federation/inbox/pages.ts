// Finds accounts and posts of ours that other servers name by the address of their page (`/@alice/ID`) or by that of
// the activity that created them, instead of the address under which they are stored.

import type { Db } from "../../platform/db/index.ts";
import { actorOrPostIn } from "../actor-paths.ts";
import { selectPages } from "./queries-facts.ts";
import type { Page } from "./queries-facts.ts";

const MAYBE_PAGE = /\/@|\/activity\/?$/;
/** Digits of an id that surely fits 64 bits. */
const MAX_DIGITS = 18;

const pageIn = (address: string): Page[] => {
  const path = MAYBE_PAGE.test(address) ? URL.parse(address)?.pathname : undefined;
  const named = path === undefined ? null : actorOrPostIn(path);
  if (!named || (named.number?.length ?? 0) > MAX_DIGITS) return [];
  const { username = null, actorId = null } = named.name;
  return [{ address, username, actorId, id: named.number ?? null }];
};

/** Maps the given addresses of pages to those under which the things are stored. */
export const storedAddresses = async (
  db: Db,
  addresses: string[],
): Promise<ReadonlyMap<string, string>> => {
  const pages = [...new Set(addresses)].flatMap(pageIn);
  if (pages.length === 0) return new Map();
  return new Map((await selectPages(db, pages)).map(({ address, uri }) => [address, uri]));
};
