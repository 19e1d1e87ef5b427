// Serves /api/v1/groups: accounts of this server that boost what their members send them (docs/API-EXTENSIONS.md).

import type { App } from "../../../platform/app.ts";
import { open, user, userForm, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { uploads } from "../../../platform/http/body.ts";
import { extension } from "../../../platform/http/extension.ts";
import { readPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, byId, changingById, paged, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { listAccounts, loadAccounts } from "../../people/accounts/load.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { ProfileBody } from "../../people/accounts/schema.ts";
import { getOwn } from "../../posts/statuses/load.ts";
import { changeGroup, createGroup, removeGroup } from "./edit.ts";
import { countWaiting, loadGroup, loadManaged } from "./load.ts";
import { moderationRoutes } from "./moderation-routes.ts";
import { groupsOf } from "./posts.ts";
import { groupEntity } from "./present.ts";
import { selectFindable, selectJoined } from "./queries.ts";

const Rules = Type.Optional(Type.Array(Type.String(), { maxItems: 100 }));

const CreateBody = Type.Object({
  name: Type.Optional(Type.String()),
  display_name: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  locked: Type.Optional(Type.Boolean()),
  rules: Rules,
  holds_posts: Type.Optional(Type.Boolean()),
});

const { properties: profile } = ProfileBody;

const ChangeBody = Type.Object({
  display_name: profile.display_name,
  note: profile.note,
  avatar: profile.avatar,
  header: profile.header,
  avatar_description: profile.avatar_description,
  header_description: profile.header_description,
  locked: profile.locked,
  discoverable: profile.discoverable,
  rules: Rules,
  holds_posts: Type.Optional(Type.Boolean()),
});

const listRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  const config = extension(user("read:accounts"), "groups", ["Group"]);
  server.get("/api/v1/groups", { config }, async (request) => {
    const views = await loadManaged(app, viewerOf(request).accountId);
    return views.map((view) => groupEntity(view, site));
  });

  server.get(
    "/api/v1/groups/waiting",
    { config: extension(user("read:accounts"), "groups", "GroupsWaiting") },
    (request) => countWaiting(app, viewerOf(request).accountId),
  );

  const lists: [path: string, scope: string, select: typeof selectJoined][] = [
    ["joined", "read:follows", selectJoined],
    ["findable", "read:accounts", selectFindable],
  ];
  for (const [path, scope, select] of lists) {
    const config = extension(user(scope), "groups", ["Account"]);
    server.get(`/api/v1/groups/${path}`, paged(config), async (request, reply) => {
      const rows = await readPage(app, request, reply, { most: 40, prev: "since_id" }, (page) =>
        select(app.sql, viewerOf(request).accountId, page),
      );
      const ids = rows.map((row) => row.id);
      const accounts = await listAccounts(app, ids);
      return accounts.map((account) => accountEntity(account, site));
    });
  }
};

const postRoutes = (server: Server, app: App): void => {
  const config = extension(user("read:statuses"), "groups", ["GroupPost"], "404");
  server.get("/api/v1/statuses/:id/groups", byId(config), async (request) => {
    const viewer = viewerOf(request).person;
    const view = await getOwn(app, pathId(request.params.id), viewer);
    const states = await groupsOf(app, view);
    const accounts = await loadAccounts(
      app,
      states.map(({ groupId }) => groupId),
    );
    return states.flatMap(({ groupId, state }) => {
      const account = accounts.get(groupId);
      return account ? [{ group: accountEntity(account, app.config.site), state }] : [];
    });
  });
};

const groupEditRoutes = (server: Server, app: App): void => {
  const write = userForm("write:accounts");
  const shown = async (id: string, viewer: string | null) =>
    groupEntity(await loadGroup(app, id, viewer), app.config.site);

  const created = extension(write, "groups", "Group", "422");
  server.post("/api/v1/groups", withBody(created, CreateBody), async (request) => {
    const { accountId } = viewerOf(request);
    const { name = "", ...rest } = request.body;
    return shown(await createGroup(app, accountId, { name: name.trim(), ...rest }), accountId);
  });

  server.get(
    "/api/v1/groups/:id",
    byId(extension(open("read:accounts"), "groups", "Group", "404")),
    (request) => shown(pathId(request.params.id), viewerId(request)),
  );

  server.route({
    url: "/api/v1/groups/:id",
    ...changingById(
      extension({ ...write, ...uploads(2) }, "groups", "Group", "404", "422"),
      ChangeBody,
    ),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const id = pathId(request.params.id);
      await changeGroup(app, accountId, id, request.body);
      return shown(id, accountId);
    },
  });

  const config = extension(write, "groups", "Empty", "404");
  server.delete("/api/v1/groups/:id", byId(config), async (request) => {
    await removeGroup(app, viewerOf(request).accountId, pathId(request.params.id));
    return {};
  });
};

export const groupRoutes = (server: Server, app: App): void => {
  listRoutes(server, app);
  postRoutes(server, app);
  groupEditRoutes(server, app);
  moderationRoutes(server, app);
};
