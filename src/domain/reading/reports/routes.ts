// Lets people report accounts to the moderators. https://docs.joinmastodon.org/methods/reports/

import type { App } from "../../../platform/app.ts";
import { userForm, viewerOf } from "../../../platform/http/auth.ts";
import { Type, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { fileReport } from "./file.ts";
import { loadReports } from "./load.ts";
import { reportEntity } from "./present.ts";
import { CATEGORIES } from "./tables.ts";

const Ids = Type.Optional(Type.Array(Type.String(), { maxItems: 1000 }));

const ReportBody = Type.Object({
  account_id: Type.Optional(Type.String()),
  status_ids: Ids,
  collection_ids: Ids,
  rule_ids: Ids,
  comment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  category: Type.Optional(Type.Enum([...CATEGORIES])),
  forward: Type.Optional(Type.Boolean()),
  forward_to_domains: Ids,
});

export const reportRoutes = (server: Server, app: App): void => {
  server.post(
    "/api/v1/reports",
    withBody({ ...userForm("write", "write:reports"), limit: "reports" }, ReportBody),
    async (request) => {
      const id = await fileReport(app, viewerOf(request).accountId, request.body);
      const view = (await loadReports(app, [id])).get(id)!;
      return reportEntity(view, app.config.site);
    },
  );
};
