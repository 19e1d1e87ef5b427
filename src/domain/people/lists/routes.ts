// Serves lists of accounts. https://docs.joinmastodon.org/methods/lists/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { inOrder, parsePage } from "../../../platform/db/paging.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { linkPage } from "../../../platform/http/links.ts";
import {
  IdParams,
  Type,
  byId,
  changingById,
  pagedById,
  withBody,
} from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { getShownAccount, listAccounts } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import { eachField, listEntity } from "./fields.ts";
import type { ListFields } from "./fields.ts";
import { getList, listsOf } from "./load.ts";
import { selectListsWith, selectMembers } from "./queries.ts";
import type { ListRow } from "./tables.ts";
import { addToList, changeList, createList, removeFromList, removeList } from "./write.ts";

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
type Parameters = {
  [K in keyof ListFields]: ListFields[K] extends boolean ? typeof Flag : typeof Text;
};
const wordOf = (choices: readonly string[]) =>
  Type.Optional(Type.Union([Type.String({ enum: [...choices], "x-judged": true }), Type.Null()]));
const ListBody = Type.Object(
  eachField<Parameters>((_name, { initial, choices }) =>
    choices ? wordOf(choices) : typeof initial === "boolean" ? Flag : Text,
  ),
);
const MembersBody = Type.Object({
  account_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
});

const own = (app: App, request: FastifyRequest<{ Params: { id: string } }>): Promise<ListRow> =>
  getList(app, viewerOf(request).accountId, request.params.id);

const listsRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/lists", { config: user("read:lists") }, async (request) =>
    (await listsOf(app, viewerOf(request).accountId)).map(listEntity),
  );

  server.post("/api/v1/lists", withBody(userForm("write:lists"), ListBody), async (request) =>
    listEntity(await createList(app, viewerOf(request).accountId, request.body)),
  );

  server.get("/api/v1/accounts/:id/lists", byId(user("read:lists")), async (request) => {
    const account = await getShownAccount(app, request.params.id);
    const { accountId } = viewerOf(request);
    return (await selectListsWith(app.sql, accountId, account.id)).map(listEntity);
  });
};

const oneList = (server: Server, app: App): void => {
  server.get("/api/v1/lists/:id", byId(user("read:lists")), async (request) =>
    listEntity(await own(app, request)),
  );

  server.route({
    url: "/api/v1/lists/:id",
    ...changingById(userForm("write:lists"), ListBody),
    handler: async (request) =>
      listEntity(await changeList(app, await own(app, request), request.body)),
  });

  server.delete("/api/v1/lists/:id", byId(userForm("write:lists")), async (request) => {
    await removeList(app, await own(app, request));
    return {};
  });
};

const PAGE = 40;

/** Returns all members at once for `limit=0`. */
const sendMembers = async (
  app: App,
  list: ListRow,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  const query = request.query as { limit?: unknown };
  const page = String(query.limit) === "0" ? null : parsePage(query, PAGE);
  const members = await selectMembers(app.sql, list.id, page);
  const ids = page ? inOrder(page, members) : members;
  const { site } = app.config;
  if (page) {
    linkPage(request, reply, { origin: site.origin, ids, limit: page.limit, prev: "since_id" });
  }
  return (await listAccounts(app, ids)).map((view) => accountEntity(view, site));
};

const memberRoutes = (server: Server, app: App): void => {
  const path = "/api/v1/lists/:id/accounts";
  server.get(path, pagedById(user("read:lists")), async (request, reply) =>
    sendMembers(app, await own(app, request), request, reply),
  );

  const schema = { params: IdParams, body: MembersBody };
  server.post(path, { config: userForm("write:lists"), schema }, async (request) => {
    await addToList(app, await own(app, request), request.body.account_ids ?? []);
    return {};
  });

  server.delete(path, { config: userForm("write:lists"), schema }, async (request) => {
    await removeFromList(app, await own(app, request), request.body.account_ids ?? []);
    return {};
  });
};

export const listRoutes = (server: Server, app: App): void => {
  listsRoutes(server, app);
  oneList(server, app);
  memberRoutes(server, app);
};
