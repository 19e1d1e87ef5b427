// Lists, accepts and rejects follow requests. https://docs.joinmastodon.org/methods/follow_requests/

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import type { Server } from "../../../platform/http/server.ts";
import { paged, withPath } from "../../../platform/http/schema.ts";
import { accountEntity } from "../accounts/present.ts";
import { acceptFollow } from "./accept-follow.ts";
import type { Pair } from "./events.ts";
import { pageOfPeople } from "./list-routes.ts";
import { LISTS } from "./list-people.ts";
import { loadRelations } from "./load.ts";
import { relationshipEntity } from "./present.ts";
import { refuseRequest } from "./reject-follow.ts";
import { AccountIdParams } from "./schema.ts";

type Answer = { path: string; run: (app: App, pair: Pair) => Promise<boolean> };

const ANSWERS: Answer[] = [
  { path: "/api/v1/follow_requests/:account_id/authorize", run: acceptFollow },
  { path: "/api/v1/follow_requests/:account_id/reject", run: refuseRequest },
];

const answerRoutes = (server: Server, app: App): void => {
  for (const { path, run } of ANSWERS) {
    server.post(path, withPath(userForm("write:follows"), AccountIdParams), async (request) => {
      const id = parseId(request.params.account_id);
      const { accountId } = viewerOf(request);
      if (id === null || !(await run(app, { accountId: id, targetId: accountId }))) {
        throw new NotFound();
      }
      const relations = await loadRelations(app, accountId, [id]);
      return relationshipEntity(relations.get(id)!);
    });
  }
};

export const requestRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/follow_requests", paged(user("read:follows")), async (request, reply) => {
    const of = { accountId: viewerOf(request).accountId };
    const { views } = await pageOfPeople(app, request, reply, LISTS.requests, of);
    return views.map((view) => accountEntity(view, app.config.site));
  });
  answerRoutes(server, app);
};
