// Adding a status to a filter. In this slice, because only a status that the person may see can be
// added.
// https://docs.joinmastodon.org/methods/filters/#statuses-add

import type { App } from "../../platform/app.ts";
import { user, viewerOf } from "../../platform/http/auth.ts";
import { pathId } from "../../platform/http/path-id.ts";
import type { Server } from "../../platform/http/server.ts";
import { asPerson } from "../../platform/viewer.ts";
import { filterStatusEntity } from "../filters/present.ts";
import { FilterIdParams, FilterStatusBody } from "../filters/schema.ts";
import { addFilterStatus, getFilter } from "../filters/write.ts";
import { getVisible } from "./load.ts";

export const filterStatusRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v2/filters/:filter_id/statuses",
    { config: user("write:filters"), schema: { params: FilterIdParams, body: FilterStatusBody } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const filter = await getFilter(app, accountId, pathId(request.params.filter_id));
      const view = await getVisible(app, pathId(request.body.status_id ?? ""), asPerson(accountId));
      const id = await addFilterStatus(app, accountId, filter, view.id);
      return filterStatusEntity({ id, status_id: view.id });
    },
  );
};
