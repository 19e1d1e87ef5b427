// Which addresses public statuses link to, so that all that link one can be found.

import { createHash } from "node:crypto";
import type { Db } from "../../platform/db/index.ts";
import { deleteLinks, insertLinks } from "./queries-write.ts";
import { listedPublicly } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

/** More links of one status are not kept. */
const MAX_LINKS = 10;

/** What tells addresses apart: as URL parsers write them, without what is behind #; null for none. */
export const linkHash = (address: string): Buffer | null => {
  const url = address.length <= 4096 ? URL.parse(address) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  url.hash = "";
  return createHash("sha256").update(url.href).digest();
};

const ANCHOR = /<a\s([^<>]{1,10000})>/g;

const decode = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** The addresses that HTML of ours (made or sanitised here) links to, people and hashtags apart. */
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

/** What is kept of the links of a status: in hexadecimal. */
export const linkHashes = (status: Omit<LinkingStatus, "statusId">): string[] =>
  listedPublicly(status) && status.content.includes("<a ")
    ? linksOf(status.content).flatMap((link) => linkHash(link)?.toString("hex") ?? [])
    : [];

/** Part of the transaction that writes the statuses; no query where nothing is linked. */
export const storeLinks = async (db: Db, statuses: LinkingStatus[]): Promise<void> => {
  const rows = statuses.flatMap((status) =>
    linkHashes(status).map((hash) => ({ statusId: status.statusId, hash })),
  );
  if (rows.length > 0) await insertLinks(db, rows);
};

/** Of an edited status. */
export const replaceLinks = async (db: Db, status: LinkingStatus): Promise<void> => {
  await deleteLinks(db, status.statusId);
  await storeLinks(db, [status]);
};
