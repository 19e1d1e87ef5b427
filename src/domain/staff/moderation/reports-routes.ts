// Serves reports for moderators. https://docs.joinmastodon.org/methods/admin/reports/

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { viewerOf } from "../../../platform/http/auth.ts";
import { linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { PageQuery, Type, byId, changingById, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { pageOfReports } from "../../reading/reports/moderate.ts";
import { CATEGORIES } from "../../reading/reports/tables.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { currentRules } from "../../base/rules/rules.ts";
import { requestActor, requireActor } from "./actors.ts";
import { adminAccess } from "./admin-schema.ts";
import { loadAdminReports } from "./load.ts";
import { adminReportEntity } from "./present.ts";
import { assignToSelf, correct, reopen, resolve, unassign } from "./reports.ts";

const LIMIT = { default: 100, max: 200 };

const Text = Type.Optional(Type.String());

const ReportsQuery = Type.Object({
  resolved: Type.Optional(Type.Boolean()),
  unresolved: Type.Optional(Type.Boolean()),
  account_id: Text,
  target_account_id: Text,
  ...PageQuery.properties,
});

/** Reads an invalid id as that of nobody. */
const filterId = (text: string | undefined): string | null =>
  text === undefined || text === "" ? null : (parseId(text) ?? "0");

const entities = async (app: App, request: FastifyRequest, ids: string[]) => {
  const views = await loadAdminReports(app, ids, viewerOf(request).accountId);
  const rules = await currentRules(app);
  return views.map((view) => adminReportEntity(view, rules, app.config.site));
};

const entity = async (app: App, request: FastifyRequest, id: string) =>
  orNotFound((await entities(app, request, [id]))[0]);

const readRoutes = (server: Server, app: App): void => {
  const config = adminAccess("read", "reports");
  server.get("/api/v1/admin/reports", withQuery(config, ReportsQuery), async (request, reply) => {
    await requireActor(app, request, "reports.read");
    const {
      resolved = false,
      unresolved = !resolved,
      account_id: accountId,
      target_account_id: targetId,
    } = request.query;
    const page = parsePage(request.query, LIMIT.default, LIMIT.max);
    const filter = {
      resolved: resolved && unresolved ? null : resolved,
      accountId: filterId(accountId),
      targetId: filterId(targetId),
    };
    const ids = await pageOfReports(app, filter, page);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    return entities(app, request, ids);
  });
  server.get("/api/v1/admin/reports/:id", byId(config), async (request) => {
    await requireActor(app, request, "reports.read");
    return entity(app, request, pathId(request.params.id));
  });
};

const UpdateBody = Type.Object({
  category: Type.Optional(Type.Enum([...CATEGORIES])),
  rule_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
});

const COMMANDS: Record<string, (app: App, actor: Actor, id: string) => Promise<void>> = {
  assign_to_self: assignToSelf,
  unassign,
  resolve,
  reopen,
};

export const adminReportRoutes = (server: Server, app: App): void => {
  readRoutes(server, app);
  const config = adminAccess("write", "reports");
  server.route({
    url: "/api/v1/admin/reports/:id",
    ...changingById(config, UpdateBody),
    handler: async (request) => {
      const id = pathId(request.params.id);
      await correct(app, await requestActor(app, request), id, request.body);
      return entity(app, request, id);
    },
  });
  for (const [name, command] of Object.entries(COMMANDS)) {
    server.post(`/api/v1/admin/reports/:id/${name}`, byId(config), async (request) => {
      const id = pathId(request.params.id);
      await command(app, await requestActor(app, request), id);
      return entity(app, request, id);
    });
  }
};
