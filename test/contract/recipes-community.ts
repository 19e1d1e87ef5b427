// Recipes of the rows about announcements, rules, terms, blocked servers, emojis and refreshes.

import { createAnnouncement } from "../../src/domain/reading/announcements/announce.ts";
import { publishTerms } from "../../src/domain/about/instance/terms.ts";
import { beginRefresh } from "../../src/domain/base/refreshes/refreshes.ts";
import { addRule } from "../../src/domain/base/rules/rules.ts";
import { setSetting } from "../../src/domain/base/settings/settings.ts";
import { makeReceiver } from "../push-service.ts";
import type { Cast } from "./cast.ts";
import { fresh } from "./recipe.ts";
import type { Recipe, Recipes } from "./recipe.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";

const A_DAY = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * A_DAY);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
const [IN_FORCE, LATER] = [dayOf(inDays(-300)), dayOf(inDays(3650))];

const announced = ({ server, friend }: Cast): Promise<string> =>
  createAnnouncement(server.app, COMMAND_LINE, {
    text: `${fresh("News for ")} @${friend.username} #news https://example.com/`,
    startsAt: inDays(-20),
    endsAt: inDays(3650),
  });

const reacted: Recipe = async (cast) => {
  const id = await announced(cast);
  const name = encodeURIComponent("🎉");
  await cast.must(cast.me, "PUT", `/api/v1/announcements/${id}/reactions/${name}`);
  return { path: { id, name } };
};

const withTerms = async ({ server }: Cast): Promise<void> => {
  await publishTerms(server.app, COMMAND_LINE, IN_FORCE, "Be kind.");
  await publishTerms(server.app, COMMAND_LINE, LATER, "Be kinder.");
};

const withEmoji = async ({ server }: Cast): Promise<void> => {
  const shortcode = fresh("bird");
  const key = "emojis/12/34.png";
  await server.write`
    INSERT INTO custom_emojis (shortcode, file_key, static_key, category)
    VALUES (${shortcode}, ${key}, ${key}, 'birds')
  `;
};

const subscription = (): Record<string, unknown> => ({
  subscription: { endpoint: "http://127.0.0.1:9/push", keys: makeReceiver().keys, standard: true },
  data: { alerts: { mention: true }, policy: "all" },
});

const subscribed: Recipe = async (cast) => {
  await cast.must(cast.me, "POST", "/api/v1/push/subscription", subscription());
  return {};
};

export const COMMUNITY: Recipes = {
  "GET /api/v1/push/subscription": subscribed,
  "POST /api/v1/push/subscription": async () => ({ json: subscription() }),
  "PUT /api/v1/push/subscription": async (cast) => ({
    ...(await subscribed(cast)),
    json: { data: { alerts: { poll: true } } },
  }),
  "DELETE /api/v1/push/subscription": subscribed,

  "GET /api/v1/announcements": async (cast) => {
    await reacted(cast);
    return {};
  },
  "POST /api/v1/announcements/{id}/dismiss": async (cast) => ({
    path: { id: await announced(cast) },
  }),
  "PUT /api/v1/announcements/{id}/reactions/{name}": reacted,
  "DELETE /api/v1/announcements/{id}/reactions/{name}": reacted,

  "GET /api/v1/instance/rules": async ({ server }) => {
    await addRule(server.app.sql, { text: "Be kind", hint: "To everybody" });
    return {};
  },
  "GET /api/v1/instance/domain_blocks": async ({ server }) => {
    await setSetting(server.app, "show_domain_blocks", "all");
    await server.write`
      INSERT INTO domain_blocks (domain, severity, public_comment)
      VALUES (${fresh("bad")} || '.example', 'suspend', 'spam')
    `;
    return {};
  },
  "GET /api/v1/instance/terms_of_service": async (cast) => {
    await withTerms(cast);
    return {};
  },
  "GET /api/v1/instance/terms_of_service/{date}": async (cast) => {
    await withTerms(cast);
    return { path: { date: LATER } };
  },
  "GET /api/v1/custom_emojis": async (cast) => {
    await withEmoji(cast);
    return {};
  },
  "GET /api/v1_alpha/async_refreshes/{id}": async ({ server }) => {
    const { refresh } = await beginRefresh(server.app, fresh("contract:"), true);
    return { path: { id: refresh.id } };
  },
};
