// Recipes of the rows about trends.

import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { refreshTrends } from "../../src/domain/reading/trends/refresh.ts";
import type { Cast } from "./cast.ts";
import { fresh, three } from "./recipe.ts";
import type { Recipe, Recipes } from "./recipe.ts";

const refreshed = async ({ server }: Cast): Promise<void> => {
  await setSetting(server.app, "trendable_by_default", true);
  await refreshTrends(server.app);
};

/** Makes three words that everybody uses. */
const used =
  (written: (mark: string) => string): Recipe =>
  async (cast) => {
    await three(async () => {
      const text = written(fresh("trend"));
      for (const who of [cast.me, cast.friend, cast.stranger]) await cast.post(who, text);
    });
    await refreshed(cast);
    return {};
  };

const tags = used((mark) => `#${mark}`);

/** Makes a post of each of three people that the others like. */
const liked: Recipe = async (cast) => {
  const people = [cast.me, cast.friend, cast.stranger];
  for (const who of people) {
    await cast.must(who, "PATCH", "/api/v1/accounts/update_credentials", { discoverable: true });
    const id = await cast.post(who, fresh("liked by all "));
    for (const other of people.filter((person) => person !== who)) {
      await cast.must(other, "POST", `/api/v1/statuses/${id}/favourite`);
    }
  }
  await refreshed(cast);
  return {};
};

export const TRENDS: Recipes = {
  "GET /api/v1/trends": tags,
  "GET /api/v1/trends/tags": tags,
  "GET /api/v1/trends/statuses": liked,
  "GET /api/v1/trends/links": used((mark) => `https://news.example/${mark}`),
};
