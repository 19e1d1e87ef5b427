// Computes trends every few minutes (the crontab in src/jobs.ts).

import type { App } from "../../../platform/app.ts";
import { invalidate } from "../../../platform/db/commits.ts";
import { linkHash, linksOf } from "../../posts/statuses/links.ts";
import {
  deleteOldHints,
  replaceLinks,
  replaceStatuses,
  replaceTags,
  requestReviews,
  selectLinkCandidates,
  upsertHints,
} from "./queries.ts";
import type { Hint, NewLink } from "./queries.ts";
import type { LinkCandidate } from "./tables.ts";

export type { Hint };

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Compute what trends. */
    "trends.refresh": Record<string, never>;
  }
}

/** Finds the text of a URL in one of the statuses, which store only its hash. */
const withAddress = (app: App, { content, ...candidate }: LinkCandidate): NewLink[] => {
  const url = linksOf(content).find((link) => linkHash(link)?.toString("hex") === candidate.hash);
  const host = url && URL.parse(url)?.host;
  return host && host !== new URL(app.config.site.origin).host
    ? [{ ...candidate, url, domain: host }]
    : [];
};

/** Handles the job `trends.refresh`: computes and stores the trends with a fixed number of queries. */
export const refreshTrends = async (app: App): Promise<void> => {
  const now = app.clock.now();
  await deleteOldHints(app.sql, now);
  await replaceTags(app.sql, now);
  await replaceStatuses(app.sql, now);
  const links = (await selectLinkCandidates(app.sql, now)).flatMap((candidate) =>
    withAddress(app, candidate),
  );
  await app.sql.begin((tx) => replaceLinks(tx, links));
  await requestReviews(app.sql, now);
  invalidate(app.sql, "trends:");
};

/** Stores what trends elsewhere, as providers say (federation/fasp/): candidates beside ours, which count for a day. */
export const storeHints = async (app: App, hints: Hint[]): Promise<void> =>
  void (await upsertHints(app.sql, hints, app.clock.now()));
