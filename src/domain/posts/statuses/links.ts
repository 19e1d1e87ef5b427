// Hashes the links in statuses, by which all statuses that link to an address, or show its card, are found.

import { isOwnDomain } from "../../../platform/config/names.ts";
import { createHash } from "node:crypto";
import type { FullConfig } from "../../../platform/config/config.ts";
import type { Db } from "../../../platform/db/index.ts";
import { hostIn, isIndexable } from "../../../platform/json/read.ts";
import { deleteLinks, insertLinks } from "./queries-edit.ts";
import type { StatusView } from "./tables.ts";
import { listedPublicly, openTo } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

/** Links of a status that are stored. */
const MAX_LINKS = 10;

/** Returns the hash of the normalised URL without its fragment; null where it is not http or https. */
export const linkHash = (address: string): Buffer | null => {
  const url = address.length <= 4096 ? URL.parse(address) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  url.hash = "";
  return createHash("sha256").update(url.href).digest();
};

const ANCHOR = /<a\s([^<>]{1,10000})>/g;

const decode = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");

/** Returns the addresses that sanitised or rendered HTML links to, without mentions and hashtags. */
export const linksOf = (content: string): string[] => {
  const hrefs = new Set<string>();
  for (const [, attributes = ""] of content.matchAll(ANCHOR)) {
    const kind = /\bclass="([^"]*)"/.exec(attributes)?.[1] ?? "";
    const href = /\bhref="([^"]*)"/.exec(attributes)?.[1];
    if (href && !/\b(?:mention|hashtag|u-url)\b/.test(kind)) hrefs.add(decode(href));
    if (hrefs.size >= MAX_LINKS) break;
  }
  return [...hrefs];
};

/** Returns the links that may be to collections of accounts, by the form of their addresses. */
export const collectionLinks = (content: string): string[] =>
  content.includes("/collections/")
    ? linksOf(content).filter((link) => link.includes("/collections/"))
    : [];

/** Class of the link to the page of a video, which may name a player: that is shown in place of the picture. */
export const VIDEO_LINK = "u-video";
const VIDEO_PAGE = new RegExp(`<a href="([^"<>]{1,4096})" class="${VIDEO_LINK}"`);

const videoPages = (content: string): string[] => {
  const href = VIDEO_PAGE.exec(content)?.[1];
  return href ? [decode(href)] : [];
};

type LinkingStatus = VisibilityFacts & {
  content: string;
  hasMedia: boolean;
  hasQuote: boolean;
};

/**
 * Returns the link whose card a status shows: the page of the video that it is, or its first link to another server.
 * There is none where it shows other media or another status instead, nor where not everybody may see it, so that the
 * page learns nothing of it.
 */
const cardLink = (status: LinkingStatus, site: FullConfig["site"]): string | null => {
  if (!openTo("world", status) || status.hasQuote || !status.content.includes("<a ")) return null;
  const isCandidate = (link: string): boolean => {
    const host = /^https?:/i.test(link) && isIndexable(link) ? hostIn(link) : null;
    return host !== null && !isOwnDomain(site, host);
  };
  const links = status.hasMedia ? [] : linksOf(status.content);
  return [...videoPages(status.content), ...links].find(isCandidate) ?? null;
};

/** Returns the link whose card a view shows. */
export const shownLink = (view: StatusView, site: FullConfig["site"]): string | null =>
  cardLink({ ...view, hasMedia: view.media.length > 0, hasQuote: view.quote !== null }, site);

type LinkHashes = {
  /** Hashes in hexadecimal. */
  all: string[];
  /** The hash in the form that the database takes. */
  card: string | null;
};

/** Returns the hashes of a status's links: all where it is listed publicly, else the one with the card. */
export const linkHashes = (status: LinkingStatus, site: FullConfig["site"]): LinkHashes => {
  const link = cardLink(status, site);
  const card = (link && linkHash(link)?.toString("hex")) ?? null;
  const isListed = listedPublicly(status) && status.content.includes("<a ");
  const listed = isListed
    ? linksOf(status.content).flatMap((link) => linkHash(link)?.toString("hex") ?? [])
    : [];
  return {
    all: card === null || listed.includes(card) ? listed : [...listed, card],
    card: card && `\\x${card}`,
  };
};

/** Replaces the links of an edited status, within its transaction. */
export const replaceLinks = async (db: Db, statusId: string, hashes: string[]): Promise<void> => {
  await deleteLinks(db, statusId);
  const rows = hashes.map((hash) => ({ statusId, hash }));
  if (rows.length > 0) await insertLinks(db, rows);
};
