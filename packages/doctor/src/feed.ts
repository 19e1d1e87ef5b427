// The feed of updates is JSON with two texts: `signed`, which is JSON itself (Feed), and `signature`, the Ed25519
// signature of its UTF-8 bytes in base64. sign-feed.ts writes it.

import { verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isNewer, says, Unprocessable } from "./uses.ts";
import type { Key } from "./uses.ts";

export type Release = {
  version: string;
  /** Whether it mends a vulnerability. */
  security: boolean;
  /** What changes, in plain English. */
  changes: string;
  link: string | null;
};

/** `releases` are from the newest to older ones; after `expires_at` the feed says nothing about the present. */
export type Feed = { issued_at: string; expires_at: string; releases: Release[] };

const [MAX_RELEASES, MAX_CHANGES] = [20, 2000];
const DAY_MS = 24 * 3_600_000;

const refused = (key: Key): Unprocessable => new Unprocessable(says(key));

const isRelease = ({ version, security, changes, link }: Partial<Release>): boolean =>
  /^\d{1,5}\.\d{1,5}\.\d{1,5}$/.test(version ?? "") &&
  typeof security === "boolean" &&
  typeof changes === "string" &&
  changes.length <= MAX_CHANGES &&
  (link === null || (String(link).startsWith("https://") && URL.canParse(String(link))));

const isFeed = ({ issued_at: issued, expires_at: expires, releases }: Partial<Feed>): boolean =>
  Date.parse(issued ?? "") < Date.parse(expires ?? "") &&
  Array.isArray(releases) &&
  releases.length <= MAX_RELEASES &&
  releases.every((release) => isRelease(release ?? {})) &&
  releases.every(({ version }, n) => n === 0 || isNewer(releases[n - 1]!.version, version));

const parse = (text: string): any => {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
};

/** Returns what one of these keys has signed; throws 422 for anything else, and for what is of the future or over. */
export const readFeed = (text: string, keys: KeyObject[], now: Date): Feed => {
  const { signed, signature } = parse(text);
  if (typeof signed !== "string") throw refused("reason.feed.form");
  const [bytes, sealed] = [Buffer.from(signed), Buffer.from(String(signature), "base64")];
  if (!keys.some((key) => verify(null, bytes, key, sealed))) throw refused("reason.feed.signature");
  const feed = parse(signed);
  if (!isFeed(feed)) throw refused("reason.feed.form");
  if (Date.parse(feed.issued_at) > now.getTime() + DAY_MS) throw refused("reason.feed.future");
  if (Date.parse(feed.expires_at) < now.getTime()) throw refused("reason.feed.over");
  return feed;
};
