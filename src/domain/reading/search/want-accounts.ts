// Asks auxiliary providers for people whom a search does not find yet (federation/fasp/): they are there when the
// search is repeated, as Mastodon does it.

import { createHash } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { httpUrl } from "../../../platform/json/read.ts";
import { beginRefresh, runningRefresh } from "../../base/refreshes/refreshes.ts";
import type { Refresh } from "../../base/refreshes/refreshes.ts";
import { isInUse } from "../../base/settings/providers.ts";
import type { Search } from "./search.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Ask providers for people. */
    "accounts.wanted": { q: string };
  }
}

/** Seconds before providers are asked for the same again. */
const AGAIN_SECONDS = 15 * 60;
const MIN_LENGTH = 3;
const MAX_LENGTH = 100;

export const accountsSubject = (q: string): string =>
  `accounts:${createHash("sha256").update(q).digest("base64url")}`;

/** Returns the running refresh; null where there is nothing to wait for. Only people are helped, and not with links. */
export const wantAccounts = async (
  app: App,
  { q: text, kind, viewer, offset, byBio, followingOnly }: Search,
): Promise<Refresh | null> => {
  const q = text.trim().replace(/^@/, "");
  const isOfPeople = (kind === null || kind === "accounts") && !byBio && !followingOnly;
  const isLong = q.length >= MIN_LENGTH && q.length <= MAX_LENGTH;
  if (viewer.kind !== "person" || !isOfPeople || !isLong || offset > 0) return null;
  if (q.startsWith("#") || httpUrl(q) || !(await isInUse(app, "account_search"))) return null;
  const subject = accountsSubject(q);
  if (!(await app.kv.add(`wanted:${subject}`, "1", AGAIN_SECONDS)))
    return runningRefresh(app, subject);
  const { refresh } = await beginRefresh(app, subject, true);
  await app.jobs.add(app.sql, "accounts.wanted", { q }, { maxAttempts: 1 });
  return refresh;
};
