// Serves what the owner and moderators of a group do with members and posts, each with their own token.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, pagedById, withPath } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import { acceptMember, ban, demote, transfer, promote, rejectMember, unban } from "./members.ts";
import type { MemberAct } from "./members.ts";
import { listGroupActs, listGroupPeople, listHeldPosts } from "./moderators-lists.ts";
import type { GroupPeople, GroupReading } from "./moderators-lists.ts";
import { approvePost, removePost } from "./posts.ts";
import type { PostAct } from "./posts.ts";
import { groupActEntity } from "./present.ts";

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

const act = (scope: string) => extension(userForm(scope), "groups", "Empty", "404", "422");

const actRoutes = (server: Server, app: App): void => {
  for (const [path, scope, command] of MEMBER_ACTS) {
    const options = withPath(act(scope), MemberParams);
    server.post(`/api/v1/groups/:id/${path}`, options, async (request) => {
      const { id, account_id: to } = request.params;
      const by = viewerOf(request).accountId;
      await command(app, { groupId: pathId(id), by, to: pathId(to) });
      return {};
    });
  }
  for (const [path, command] of POST_ACTS) {
    const options = withPath(act("write:statuses"), PostParams);
    server.post(`/api/v1/groups/:id/${path}`, options, async (request) => {
      const { id, status_id: statusId } = request.params;
      const by = viewerOf(request).accountId;
      await command(app, { groupId: pathId(id), by, statusId: pathId(statusId) });
      return {};
    });
  }
};

type GroupRequest = FastifyRequest<{ Params: { id: string } }>;

const readingOf = (request: GroupRequest): GroupReading => ({
  groupId: pathId(request.params.id),
  by: viewerOf(request).accountId,
});

/** `prev` is the parameter by which the page before is requested. */
type PageOptions = { most: number; prev?: "since_id" };

/** Reads a page, and links to the pages beside it. */
const withLinks = async <T>(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { most, prev }: PageOptions,
  read: (page: Page) => Promise<T & { pageIds: string[] }>,
): Promise<T> => {
  const page = parsePage(request.query as object, most);
  const result = await read(page);
  const { origin } = app.config.site;
  linkPage(request, reply, { origin, ids: result.pageIds, limit: page.limit, prev });
  return result;
};

const list = (scope: string, entity: string) =>
  pagedById(extension(user(scope), "groups", [entity], "404"));

const PEOPLE: [path: GroupPeople, scope: string][] = [
  ["follow_requests", "read:follows"],
  ["bans", "read:blocks"],
];

const peopleRoutes = (server: Server, app: App): void => {
  for (const [path, scope] of PEOPLE) {
    server.get(`/api/v1/groups/:id/${path}`, list(scope, "Account"), async (request, reply) => {
      const { views } = await withLinks(
        app,
        request,
        reply,
        { most: 40, prev: "since_id" },
        (page) => listGroupPeople(app, readingOf(request), path, page),
      );
      return views.map((view) => accountEntity(view, app.config.site));
    });
  }
};

const listRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  const ofPosts = list("read:statuses", "Status");
  server.get("/api/v1/groups/:id/held_statuses", ofPosts, async (request, reply) => {
    const { views } = await withLinks(app, request, reply, { most: 20 }, (page) =>
      listHeldPosts(app, readingOf(request), page),
    );
    return views.map((view) => statusEntity(view, site));
  });

  const ofActs = list("read:accounts", "GroupAct");
  server.get("/api/v1/groups/:id/acts", ofActs, async (request, reply) => {
    const { rows, accounts } = await withLinks(app, request, reply, { most: 20 }, (page) =>
      listGroupActs(app, readingOf(request), page),
    );
    return rows.map((row) => groupActEntity(row, accounts, site));
  });
};

export const moderationRoutes = (server: Server, app: App): void => {
  actRoutes(server, app);
  peopleRoutes(server, app);
  listRoutes(server, app);
};
