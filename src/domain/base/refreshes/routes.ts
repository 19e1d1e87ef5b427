// Shows the progress of a refresh. https://docs.joinmastodon.org/methods/async_refreshes/

import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import { user } from "../../../platform/http/auth.ts";
import { Type, withPath } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { findRefresh } from "./refreshes.ts";

const MAX_ID = 100;
const Params = Type.Object({ id: Type.String() });

export const refreshRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1_alpha/async_refreshes/:id",
    withPath(user("read"), Params),
    async (request) => {
      const { id } = request.params;
      const refresh = id.length <= MAX_ID ? await findRefresh(app, id) : null;
      if (!refresh) throw new NotFound("Not Found");
      const { status, resultCount } = refresh;
      return { async_refresh: { id: refresh.id, status, result_count: resultCount } };
    },
  );
};
