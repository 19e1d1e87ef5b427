// Serves accounts for moderators. https://docs.joinmastodon.org/methods/admin/accounts/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { IdParams, PageQuery, Type, byId, withQuery } from "../../../platform/http/schema.ts";
import type { Static } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { getPreset } from "../../reading/strikes/strikes.ts";
import {
  ACTION_TYPES,
  actOnAccount,
  approveAccount,
  deleteSuspended,
  enableAccount,
  rejectAccount,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from "./accounts.ts";
import { accountFilter, firstFilter } from "./account-filter.ts";
import { requestActor, requireActor } from "./actors.ts";
import { adminAccess } from "./admin-schema.ts";
import { getAdminAccount, listAdminAccounts } from "./load.ts";
import { adminAccountEntity } from "./present.ts";
import type { AccountFilter } from "./queries-accounts.ts";

const Flag = Type.Optional(Type.Boolean());
const Text = Type.Optional(Type.String({ maxLength: 1000 }));

const byText = { username: Text, display_name: Text, by_domain: Text, email: Text, ip: Text };

const FirstQuery = Type.Object({
  local: Flag,
  remote: Flag,
  staff: Flag,
  active: Flag,
  pending: Flag,
  disabled: Flag,
  silenced: Flag,
  suspended: Flag,
  sensitized: Flag,
  ...byText,
  ...PageQuery.properties,
});

const SecondQuery = Type.Object({
  origin: Text,
  status: Text,
  permissions: Text,
  role_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  invited_by: Text,
  ...byText,
  ...PageQuery.properties,
});

const PATH = "/api/v1/admin/accounts";
const LIMIT = { default: 100, max: 200 };

const listRoutes = (server: Server, app: App): void => {
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    filter: AccountFilter,
  ): Promise<unknown[]> => {
    await requireActor(app, request, "accounts.read");
    const page = parsePage(request.query as object, LIMIT.default, LIMIT.max);
    const views = await listAdminAccounts(app, filter, page);
    const ids = views.map(({ account }) => account.id);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    return views.map((view) => adminAccountEntity(view, app.config.site));
  };
  const config = adminAccess("read", "accounts");
  server.get(PATH, withQuery(config, FirstQuery), (request, reply) =>
    send(request, reply, firstFilter(request.query)),
  );
  server.get("/api/v2/admin/accounts", withQuery(config, SecondQuery), (request, reply) =>
    send(request, reply, accountFilter(request.query)),
  );
};

const ActionBody = Type.Object({
  type: Type.Optional(Type.String()),
  report_id: Type.Optional(Type.String()),
  warning_preset_id: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  send_email_notification: Type.Optional(Type.Boolean()),
});

const optionalId = (value: string | undefined): string | null => (value ? pathId(value) : null);

/** Returns the preset's text, and the moderator's own below it. */
const warningText = async (app: App, body: Static<typeof ActionBody>): Promise<string> => {
  const preset = body.warning_preset_id ? await getPreset(app, body.warning_preset_id) : null;
  return [preset?.text ?? "", body.text?.trim() ?? ""].filter(Boolean).join("\n\n");
};

const actionRoute = (server: Server, app: App): void => {
  server.post(
    `${PATH}/:id/action`,
    {
      config: adminAccess("write", "accounts"),
      schema: { params: IdParams, body: ActionBody },
    },
    async (request) => {
      const actor = await requestActor(app, request);
      const { body } = request;
      const type = ACTION_TYPES.find((type) => type === body.type);
      if (!type) throw new Unprocessable(`type must be one of ${ACTION_TYPES.join(", ")}`);
      await actOnAccount(app, actor, pathId(request.params.id), {
        type,
        reportId: optionalId(body.report_id),
        text: await warningText(app, body),
        mail: body.send_email_notification ?? true,
      });
      return {};
    },
  );
};

type Command = (app: App, actor: Actor, id: string) => Promise<void>;

/** Commands that answer with the account, which others delete. */
const COMMANDS: Record<string, Command> = {
  approve: approveAccount,
  enable: enableAccount,
  unsensitive: unsensitizeAccount,
  unsilence: unsilenceAccount,
  unsuspend: unsuspendAccount,
};

const commandRoutes = (server: Server, app: App): void => {
  const config = adminAccess("write", "accounts");
  for (const [name, command] of Object.entries(COMMANDS)) {
    server.post(`${PATH}/:id/${name}`, byId(config), async (request) => {
      const id = pathId(request.params.id);
      await command(app, await requestActor(app, request), id);
      return adminAccountEntity(await getAdminAccount(app, id), app.config.site);
    });
  }
  server.post(`${PATH}/:id/reject`, byId(config), async (request) => {
    await rejectAccount(app, await requestActor(app, request), pathId(request.params.id));
    return {};
  });
  server.delete(`${PATH}/:id`, byId(config), async (request) => {
    await deleteSuspended(app, await requestActor(app, request), pathId(request.params.id));
    return {};
  });
};

export const adminAccountRoutes = (server: Server, app: App): void => {
  listRoutes(server, app);
  server.get(`${PATH}/:id`, byId(adminAccess("read", "accounts")), async (request) => {
    await requireActor(app, request, "accounts.read");
    const view = await getAdminAccount(app, pathId(request.params.id));
    return adminAccountEntity(view, app.config.site);
  });
  actionRoute(server, app);
  commandRoutes(server, app);
};
