// Whom auxiliary providers recommend to a person (federation/fasp/): asked for when suggestions are read, once a day.

import type { App } from "../../../platform/app.ts";
import { isInUse } from "../../base/settings/providers.ts";
import { insertRecommendations } from "./queries.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Ask providers whom this person may want to follow. */
    "recommendations.wanted": { accountId: string };
  }
}

const AGAIN_SECONDS = 86_400;

export const wantRecommendations = async (app: App, accountId: string): Promise<void> => {
  if (!(await isInUse(app, "follow_recommendation"))) return;
  if (!(await app.kv.add(`recommendations-wanted:${accountId}`, "1", AGAIN_SECONDS))) return;
  await app.jobs.add(app.sql, "recommendations.wanted", { accountId }, { maxAttempts: 3 });
};

export const recommendAccounts = async (
  app: App,
  accountId: string,
  ids: string[],
): Promise<void> => void (await insertRecommendations(app.sql, accountId, ids, app.clock.now()));
