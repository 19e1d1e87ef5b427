// Some servers name an account or a post of ours by the address of its page (`/@alice/ID`), or of the activity that
// created it: they mean what is stored under another address.

import type { Db } from "../../platform/db/index.ts";
import { actorOrPostIn } from "../actor-paths.ts";
import { selectPages } from "./queries-facts.ts";
import type { Page } from "./queries-facts.ts";

const MAYBE_PAGE = /\/@|\/activity\/?$/;
/** Of 64 bits, whatever the digits. */
const MAX_DIGITS = 18;

const pageIn = (address: string): Page[] => {
  const path = MAYBE_PAGE.test(address) ? URL.parse(address)?.pathname : undefined;
  const named = path === undefined ? null : actorOrPostIn(path);
  if (!named || (named.number?.length ?? 0) > MAX_DIGITS) return [];
  const { username = null, actorId = null } = named.name;
  return [{ address, username, actorId, id: named.number ?? null }];
};

/** By the addresses that are such pages: those that are stored. */
export const storedAddresses = async (
  db: Db,
  addresses: string[],
): Promise<ReadonlyMap<string, string>> => {
  const pages = [...new Set(addresses)].flatMap(pageIn);
  if (pages.length === 0) return new Map();
  return new Map((await selectPages(db, pages)).map(({ address, uri }) => [address, uri]));
};
