// Checks of what is to come: newer versions, and settings that end with one of them.

import type { KeyObject } from "node:crypto";
import {
  firstRow,
  isNewer,
  readEnvironment,
  reasonOf,
  says,
  Unprocessable,
  VERSION,
} from "./uses.ts";
import type { App } from "./uses.ts";
import { readFeed } from "./feed.ts";
import type { Feed, Release } from "./feed.ts";
import { fault, ok, skipped, warning } from "./finding.ts";
import type { Check, Finding, Patient } from "./finding.ts";
import { selectFeed, upsertFeed } from "./queries.ts";

/** `ends` is the version without it, at least one after the version that first says so; `instead` is a setting. */
export type Deprecation = { setting: string; ends: string; instead: string };

/** Every setting that ends. One whose version is there goes, together with what reads it: a test holds that. */
export const DEPRECATIONS: readonly Deprecation[] = [];

export const judgeSettings = (
  all: readonly Deprecation[],
  environment: Readonly<Record<string, string | undefined>>,
): Finding[] => {
  const used = all.filter(({ setting }) => environment[setting]);
  if (used.length === 0) return [ok("doctor.deprecated.none")];
  return used.map(({ setting: name, ends: version, instead }) =>
    warning("doctor.deprecated.setting", "doctor.advice.deprecated", { name, version, instead }),
  );
};

/** Whether an entry still has a version to come before its end. */
export const isAhead = ({ ends }: Deprecation, version = VERSION): boolean =>
  isNewer(ends, version);

const deprecated = async (): Promise<Finding[]> => judgeSettings(DEPRECATIONS, readEnvironment());

const MAX_BYTES = 16 * 1024;

type Updates = { url: string; keys: KeyObject[] };

/** Reads the feed and stores it; throws 422 for one that is not believed, or is older than what is known. */
const look = async ({ sql, fetch, clock }: App, { url, keys }: Updates): Promise<void> => {
  const { status, body } = await fetch.request(url, { maxBytes: MAX_BYTES });
  if (status !== 200)
    throw new Unprocessable(says("reason.feed.status", { status: String(status) }));
  const feed = readFeed(body.toString(), keys, clock.now());
  if (!(await firstRow(upsertFeed(sql, url, feed))))
    throw new Unprocessable(says("reason.feed.older"));
};

/** Versions that are told, the newest first: what older ones change is in their changelog. */
const MOST_TOLD = 5;

/** One line, as a finding is. */
const lineOf = ({ changes, link }: Release): string =>
  [changes.replaceAll(/\s+/g, " "), link].filter(Boolean).join(" ");

const newerIn = (feed: Feed | undefined): Finding[] =>
  (feed?.releases ?? [])
    .filter(({ version }) => isNewer(version, VERSION))
    .slice(0, MOST_TOLD)
    .map((release) => {
      const values = { version: release.version, changes: lineOf(release) };
      return release.security
        ? fault("doctor.updates.security", "doctor.advice.update", values)
        : warning("doctor.updates.newer", "doctor.advice.update", values);
    });

const updates = async ({ app }: Patient): Promise<Finding[]> => {
  const { updates } = app.config;
  if (!updates) return [skipped("doctor.updates.off")];
  const failed = await look(app, updates).then(
    () => null,
    (error: unknown) => ({ reason: reasonOf(error) }),
  );
  const newer = newerIn((await firstRow(selectFeed(app.sql, updates.url)))?.feed);
  if (failed) return [...newer, warning("doctor.updates.failed", "doctor.advice.feed", failed)];
  return newer.length > 0 ? newer : [ok("doctor.updates.none", { version: VERSION })];
};

export const VERSIONS: Check[] = [
  { name: "updates", run: updates },
  { name: "deprecated", run: deprecated },
];
