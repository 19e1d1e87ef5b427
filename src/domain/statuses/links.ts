// The links in public statuses, stored as hashes, so that all statuses that link to an address are
// found.

import { createHash } from "node:crypto";
import type { Db } from "../../platform/db/index.ts";
import { deleteLinks, insertLinks } from "./queries-write.ts";
import { listedPublicly } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

/** Further links of a status are not stored. */
const MAX_LINKS = 10;

/** The hash of the normalised URL without its fragment; null where that is not http or https. */
export const linkHash = (address: string): Buffer | null => {
  const url = address.length <= 4096 ? URL.parse(address) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  url.hash = "";
  return createHash("sha256").update(url.href).digest();
};

const ANCHOR = /<a\s([^<>]{1,10000})>/g;

const decode = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** The addresses that sanitised or rendered HTML links to, without mentions and hashtags. */
export const linksOf = (content: string): string[] => {
  const found = new Set<string>();
  for (const [, attributes = ""] of content.matchAll(ANCHOR)) {
    const kind = /\bclass="([^"]*)"/.exec(attributes)?.[1] ?? "";
    const href = /\bhref="([^"]*)"/.exec(attributes)?.[1];
    if (href && !/\b(?:mention|hashtag|u-url)\b/.test(kind)) found.add(decode(href));
    if (found.size >= MAX_LINKS) break;
  }
  return [...found];
};

export type LinkingStatus = VisibilityFacts & { statusId: string; content: string };

/** The hashes of a status's links, in hexadecimal; none where it is not listed publicly. */
export const linkHashes = (status: Omit<LinkingStatus, "statusId">): string[] =>
  listedPublicly(status) && status.content.includes("<a ")
    ? linksOf(status.content).flatMap((link) => linkHash(link)?.toString("hex") ?? [])
    : [];

/** Of an edited status, within its transaction. */
export const replaceLinks = async (db: Db, status: LinkingStatus): Promise<void> => {
  const { statusId } = status;
  await deleteLinks(db, statusId);
  const rows = linkHashes(status).map((hash) => ({ statusId, hash }));
  if (rows.length > 0) await insertLinks(db, rows);
};
