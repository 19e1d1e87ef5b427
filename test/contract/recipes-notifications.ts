// Recipes of the rows about notifications, their groups, policies and requests.

import { followed } from "./cast.ts";
import type { Cast } from "./cast.ts";
import { fresh, plain, three } from "./recipe.ts";
import type { Recipe, Recipes } from "./recipe.ts";

/** Resets the policy, which garbage may have changed. */
const resetPolicy = (cast: Cast) =>
  cast.must(cast.me, "PATCH", "/api/v2/notifications/policy", {
    for_not_following: "accept",
    for_not_followers: "accept",
    for_new_accounts: "accept",
    for_private_mentions: "filter",
    for_limited_accounts: "accept",
    for_bots: "accept",
  });

/** Lets three people favourite a post and mention the requester. */
const notified = async (cast: Cast): Promise<void> => {
  await resetPolicy(cast);
  const id = await cast.post(cast.me, fresh("post"));
  await three(async () => {
    const fan = await followed(cast, fresh("fan"));
    await cast.must(fan, "POST", `/api/v1/statuses/${id}/favourite`);
    await cast.post(fan, `@${cast.me.username} ${fresh("hello")}`);
  });
  await cast.server.runJobs();
};

const some: Recipe = async (cast) => {
  await notified(cast);
  return {};
};

const recipe: Recipe = async (cast) => {
  await notified(cast);
  const [first] = await cast.must(cast.me, "GET", "/api/v1/notifications");
  return { path: { id: first.id } };
};

const group: Recipe = async (cast) => {
  await notified(cast);
  const path = "/api/v2/notifications?types[]=favourite";
  const { notification_groups: groups } = await cast.must(cast.me, "GET", path);
  return { path: { group_key: groups[0].group_key } };
};

/** Filters the private mentions of three strangers; returns the ids of their requests. */
const requested = async (cast: Cast): Promise<string[]> => {
  await resetPolicy(cast);
  await three(async () => {
    const by = await cast.server.person(fresh(`${cast.me.username}_n`));
    await cast.post(by, `@${cast.me.username} psst`, { visibility: "direct" });
  });
  await cast.server.runJobs();
  const path = "/api/v1/notifications/requests";
  return (await cast.must(cast.me, "GET", path)).map(({ id }: { id: string }) => id);
};

const request: Recipe = async (cast) => ({ path: { id: (await requested(cast))[0]! } });
const requests: Recipe = async (cast) => ({ json: { id: await requested(cast) } });

export const NOTIFICATIONS: Recipes = {
  "GET /api/v1/notifications": some,
  "GET /api/v1/notifications/{id}": recipe,
  "POST /api/v1/notifications/{id}/dismiss": recipe,
  "POST /api/v1/notifications/clear": plain,
  "POST /api/v2/notifications/clear": plain,
  "GET /api/v1/notifications/unread_count": some,

  "GET /api/v2/notifications": some,
  "GET /api/v2/notifications/unread_count": some,
  "GET /api/v2/notifications/{group_key}": group,
  "GET /api/v2/notifications/{group_key}/accounts": group,
  "POST /api/v2/notifications/{group_key}/dismiss": group,

  "GET /api/v1/notifications/policy": plain,
  "PATCH /api/v1/notifications/policy": () => ({ json: { filter_new_accounts: true } }),
  "GET /api/v2/notifications/policy": plain,
  "PATCH /api/v2/notifications/policy": () => ({ json: { for_new_accounts: "accept" } }),

  "GET /api/v1/notifications/requests": async (cast) => {
    await requested(cast);
    return {};
  },
  "GET /api/v1/notifications/requests/merged": plain,
  "GET /api/v1/notifications/requests/{id}": request,
  "POST /api/v1/notifications/requests/{id}/accept": request,
  "POST /api/v1/notifications/requests/{id}/dismiss": request,
  "POST /api/v1/notifications/requests/accept": requests,
  "POST /api/v1/notifications/requests/dismiss": requests,
};
