// What the owner and moderators of a group do with members and posts: each by their own token.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { user, viewerOf } from "../../platform/http/auth.ts";
import { linkPage } from "../../platform/http/links.ts";
import { pathId } from "../../platform/http/paths.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { asPerson } from "../../platform/viewer.ts";
import { loadAccounts } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import { LISTS } from "../relationships/list-people.ts";
import { pageOfPeople } from "../relationships/list-routes.ts";
import { PageQuery } from "../relationships/schema.ts";
import { loadStatuses } from "../statuses/load.ts";
import { seenByModerators } from "../statuses/rules.ts";
import { statusEntity } from "../statuses/present.ts";
import { requireRole } from "./access.ts";
import { acceptMember, ban, demote, transfer, promote, rejectMember, unban } from "./members.ts";
import type { MemberAct } from "./members.ts";
import { approvePost, removePost } from "./posts.ts";
import type { PostAct } from "./posts.ts";
import { groupActEntity } from "./present.ts";
import { selectActs } from "./queries.ts";
import { selectHeld } from "./queries-posts.ts";

const IdParams = Type.Object({ id: Type.String() });
const MemberParams = Type.Object({ id: Type.String(), account_id: Type.String() });
const PostParams = Type.Object({ id: Type.String(), status_id: Type.String() });

type MemberCommand = (app: App, act: MemberAct) => Promise<void>;
type PostCommand = (app: App, act: PostAct) => Promise<void>;

const MEMBER_ACTS: [path: string, scope: string, command: MemberCommand][] = [
  ["follow_requests/:account_id/authorize", "write:follows", acceptMember],
  ["follow_requests/:account_id/reject", "write:follows", rejectMember],
  ["accounts/:account_id/ban", "write:blocks", ban],
  ["accounts/:account_id/unban", "write:blocks", unban],
  ["accounts/:account_id/promote", "write:accounts", promote],
  ["accounts/:account_id/demote", "write:accounts", demote],
  ["accounts/:account_id/transfer", "write:accounts", transfer],
];

const POST_ACTS: [path: string, command: PostCommand][] = [
  ["statuses/:status_id/approve", approvePost],
  ["statuses/:status_id/remove", removePost],
];

const actRoutes = (server: Server, app: App): void => {
  for (const [path, scope, command] of MEMBER_ACTS) {
    const options = { config: user(scope), schema: { params: MemberParams } };
    server.post(`/api/v1/groups/:id/${path}`, options, async (request) => {
      const { id, account_id: to } = request.params;
      const by = viewerOf(request).accountId;
      await command(app, { groupId: pathId(id), by, to: pathId(to) });
      return {};
    });
  }
  for (const [path, command] of POST_ACTS) {
    const options = { config: user("write:statuses"), schema: { params: PostParams } };
    server.post(`/api/v1/groups/:id/${path}`, options, async (request) => {
      const { id, status_id: statusId } = request.params;
      const by = viewerOf(request).accountId;
      await command(app, { groupId: pathId(id), by, statusId: pathId(statusId) });
      return {};
    });
  }
};

type GroupRequest = FastifyRequest<{ Params: { id: string } }>;

/** The group's id, where who asks moderates it. */
const moderated = async (app: App, request: GroupRequest): Promise<string> => {
  const id = pathId(request.params.id);
  await requireRole(app, id, viewerOf(request).accountId, "moderator");
  return id;
};

const PEOPLE = [
  ["follow_requests", "read:follows", LISTS.requests],
  ["bans", "read:blocks", LISTS.blocks],
] as const;

const peopleRoutes = (server: Server, app: App): void => {
  const schema = { params: IdParams, querystring: PageQuery };
  for (const [path, scope, list] of PEOPLE) {
    server.get(
      `/api/v1/groups/:id/${path}`,
      { config: user(scope), schema },
      async (request, reply) => {
        const of = { accountId: await moderated(app, request) };
        const { views } = await pageOfPeople(app, request, reply, list, of);
        return views.map((view) => accountEntity(view, app.config.site));
      },
    );
  }
};

/** A page of rows, with its Link header. */
const pageOf = async <T extends { id: string }>(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  read: (page: Page) => Promise<Iterable<T>>,
): Promise<T[]> => {
  const page = parsePage(request.query as object, 20);
  const rows = inOrder(page, [...(await read(page))]);
  const ids = rows.map((row) => row.id);
  linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
  return rows;
};

const listRoutes = (server: Server, app: App): void => {
  const schema = { params: IdParams, querystring: PageQuery };
  const { site } = app.config;
  server.get(
    "/api/v1/groups/:id/held_statuses",
    { config: user("read:statuses"), schema },
    async (request, reply) => {
      const id = await moderated(app, request);
      const rows = await pageOf(app, request, reply, (page) => selectHeld(app.sql, id, page));
      const ids = rows.map((row) => row.id);
      // Also of who blocks the moderator, or is nobody's any more: else nobody could decide on them.
      const views = await loadStatuses(app, ids, asPerson(viewerOf(request).accountId));
      return views.filter(seenByModerators).map((view) => statusEntity(view, site));
    },
  );

  server.get(
    "/api/v1/groups/:id/acts",
    { config: user("read:accounts"), schema },
    async (request, reply) => {
      const id = await moderated(app, request);
      const rows = await pageOf(app, request, reply, (page) => selectActs(app.sql, id, page));
      const named = rows.flatMap((row) => [row.account_id, row.target_id]);
      const accounts = await loadAccounts(app, [
        ...new Set(named.filter((account) => account !== null)),
      ]);
      return rows.map((row) => groupActEntity(row, accounts, site));
    },
  );
};

export const moderationRoutes = (server: Server, app: App): void => {
  actRoutes(server, app);
  peopleRoutes(server, app);
  listRoutes(server, app);
};
