// Serves reactions to posts: to react, to end it, and who reacted with what, in the forms of glitch-soc and of Pleroma.
// https://docs-develop.pleroma.social/backend/development/API/pleroma_api/#emoji-reactions

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import {
  open,
  requestViewer,
  user,
  userForm,
  viewerId,
  viewerOf,
} from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { extension } from "../../../platform/http/extension.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, byId, withPath } from "../../../platform/http/schema.ts";
import type { Static } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { getVisible } from "./load.ts";
import { reactionEntity, statusEntity } from "./present.ts";
import { selectReactors } from "./queries.ts";
import { isNamed, react, unreact } from "./react.ts";
import { shownPeople } from "./read-routes.ts";

const NameParams = Type.Object({ id: Type.String(), name: Type.String() });

/** People of each emoji where all are listed, and where one is. */
const PEOPLE = 10;
const PEOPLE_OF_ONE = 80;

/** Returns the reactions to a post, of one emoji where there is a name, each with its newest people. */
const listReactors = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, name }: { id: string; name?: string },
) => {
  const seen = await getVisible(app, pathId(id), requestViewer(request));
  cacheForPublic(request, reply);
  const view = seen.reblog ?? seen;
  const listed = view.reactions.filter(
    (reaction) => name === undefined || isNamed(reaction.name, name),
  );
  const names = listed.map((reaction) => reaction.name);
  const limit = name === undefined ? PEOPLE : PEOPLE_OF_ONE;
  const rows = names.length > 0 ? await selectReactors(app.sql, view.id, names, limit) : [];
  const people = await shownPeople(
    app,
    viewerId(request),
    rows.map((row) => row.id),
  );
  const known = new Map(people.map((account) => [account.id, account]));
  const byName = Map.groupBy(rows, (row) => row.name);
  return listed.flatMap((reaction) => {
    const read = byName.get(reaction.name) ?? [];
    const shown = read.flatMap((row) => known.get(row.id) ?? []);
    // Whom the reader hides is not counted beside a list without them.
    const count = reaction.count - (read.length - shown.length);
    if (count <= 0) return [];
    const accounts = shown.map((account) => accountEntity(account, app.config.site));
    return [{ ...reactionEntity(reaction, view), count, accounts }];
  });
};

const readRoutes = (server: Server, app: App): void => {
  const config = extension(open("read:accounts"), "statuses", ["StatusReaction"], "404");
  for (const path of ["/api/v1/statuses/:id/reactions", "/api/v1/pleroma/statuses/:id/reactions"]) {
    server.get(path, byId(config), (request, reply) =>
      listReactors(app, request, reply, request.params),
    );
    server.get(`${path}/:name`, withPath(config, NameParams), (request, reply) =>
      listReactors(app, request, reply, request.params),
    );
  }
};

export const reactionRoutes = (server: Server, app: App): void => {
  readRoutes(server, app);
  const act =
    (run: typeof react) =>
    async (request: FastifyRequest<{ Params: Static<typeof NameParams> }>) => {
      const { id, name } = request.params;
      const view = await run(app, viewerOf(request).person, pathId(id), name);
      return statusEntity(view, app.config.site);
    };
  const withName = (access: ReturnType<typeof user>) =>
    withPath(extension(access, "statuses", "Status", "404", "422"), NameParams);
  const form = withName(userForm("write:favourites"));
  server.post("/api/v1/statuses/:id/react/:name", form, act(react));
  server.post("/api/v1/statuses/:id/unreact/:name", form, act(unreact));
  const options = withName(user("write:favourites"));
  const path = "/api/v1/pleroma/statuses/:id/reactions/:name";
  server.put(path, options, act(react));
  server.delete(path, options, act(unreact));
};
