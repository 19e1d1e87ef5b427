// Serves rules against spam over an admin API of our own, with the posts that wait for a decision.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { extension } from "../../../platform/http/extension.ts";
import { IdParams, Type, byId, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import type { RuleRow } from "../../base/spam/tables.ts";
import { requestActor } from "./actors.ts";
import { adminAccess } from "./admin-schema.ts";
import { dryRunEntity, spamMatchEntity, spamRuleEntity } from "./spam-present.ts";
import {
  addSpamRule,
  approveHeld,
  changeSpamRule,
  discardHeld,
  enableSpamRule,
  getSpamRule,
  listHeldPosts,
  listSpamMatches,
  listSpamRules,
  removeSpamRule,
  trySpamRule,
  undoSpamRule,
} from "./spam.ts";

const Any = Type.Optional(Type.Unknown());
const RuleBody = Type.Object({
  name: Type.Optional(Type.String()),
  conditions: Type.Optional(
    Type.Object({
      origin: Any,
      account_age_below: Any,
      followers_below: Any,
      links: Any,
      mentions: Any,
      strangers: Any,
      domains: Any,
      link_domains: Any,
      words: Any,
      pattern: Any,
      same_text: Any,
    }),
  ),
  actions: Type.Optional(Type.Array(Type.String())),
});

const PATH = "/api/v1/admin/spam_rules";
const HELD = "/api/v1/admin/held_posts";
const TAG = "admin/spam_rules";
const list = extension(adminAccess("read"), TAG, { shape: "array" }, "404");
const single = extension(adminAccess("read"), TAG, { shape: "map" }, "404");
const write = extension(adminAccess("write"), TAG, { shape: "map" }, "404", "422");

type ById = FastifyRequest<{ Params: { id: string } }>;

const heldRoutes = (server: Server, app: App): void => {
  server.get(HELD, { config: list }, async (request) =>
    (await listHeldPosts(app, await requestActor(app, request))).map(spamMatchEntity),
  );
  for (const [verb, decide] of [
    ["approve", approveHeld],
    ["discard", discardHeld],
  ] as const) {
    server.post(`${HELD}/:id/${verb}`, byId(write), async (request) => {
      await decide(app, await requestActor(app, request), request.params.id);
      return {};
    });
  }
};

export const spamRoutes = (server: Server, app: App): void => {
  heldRoutes(server, app);
  const find = async (request: ById): Promise<{ actor: Actor; rule: RuleRow }> => {
    const actor = await requestActor(app, request);
    return { actor, rule: await getSpamRule(app, actor, request.params.id) };
  };
  const shown = async (actor: Actor, id: string) =>
    spamRuleEntity(await getSpamRule(app, actor, id));

  server.get(PATH, { config: list }, async (request) =>
    (await listSpamRules(app, await requestActor(app, request))).map(spamRuleEntity),
  );
  server.post(PATH, withBody(write, RuleBody), async (request) => {
    const actor = await requestActor(app, request);
    return shown(actor, await addSpamRule(app, actor, request.body));
  });
  server.get(`${PATH}/:id`, byId(single), async (request) =>
    spamRuleEntity((await find(request)).rule),
  );
  server.put(
    `${PATH}/:id`,
    { config: write, schema: { params: IdParams, body: RuleBody } },
    async (request) => {
      const { actor, rule } = await find(request);
      await changeSpamRule(app, actor, rule, request.body);
      return shown(actor, rule.id);
    },
  );
  server.delete(`${PATH}/:id`, byId(write), async (request) => {
    const { actor, rule } = await find(request);
    await removeSpamRule(app, actor, rule);
    return {};
  });
  server.post(`${PATH}/:id/dry_run`, byId(write), async (request) => {
    const { actor, rule } = await find(request);
    return dryRunEntity(await trySpamRule(app, actor, rule));
  });
  for (const [verb, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    server.post(`${PATH}/:id/${verb}`, byId(write), async (request) => {
      const { actor, rule } = await find(request);
      await enableSpamRule(app, actor, rule, enabled);
      return shown(actor, rule.id);
    });
  }
  server.post(`${PATH}/:id/undo`, byId(write), async (request) => {
    const { actor, rule } = await find(request);
    await undoSpamRule(app, actor, rule);
    return shown(actor, rule.id);
  });
  server.get(`${PATH}/:id/matches`, byId(list), async (request) => {
    const { actor, rule } = await find(request);
    return (await listSpamMatches(app, actor, rule)).map(spamMatchEntity);
  });
};
