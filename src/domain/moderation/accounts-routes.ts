// Accounts for moderators. https://docs.joinmastodon.org/methods/admin/accounts/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { parseId, parsePage } from "../../platform/db/paging.ts";
import { BadRequest, NotFound, Unprocessable } from "../../platform/errors.ts";
import { linkPage } from "../../platform/http/links.ts";
import { pathId } from "../../platform/http/path-id.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Static } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { readDomain } from "../blocklists/domains.ts";
import { readNetwork } from "../blocklists/ips.ts";
import type { Actor } from "../roles/permissions.ts";
import { getPreset } from "../strikes/strikes.ts";
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
import { requestActor, requireActor } from "./acts.ts";
import { adminAccess, IdParams, pageParameters } from "./admin-schema.ts";
import { getAdminAccount, listAdminAccounts } from "./load.ts";
import { adminAccountEntity } from "./present.ts";
import { STATES } from "./queries.ts";
import type { AccountFilter, State } from "./queries.ts";

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
  ...pageParameters,
});

const SecondQuery = Type.Object({
  origin: Text,
  status: Text,
  permissions: Text,
  role_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  invited_by: Text,
  ...byText,
  ...pageParameters,
});

/** A text that is left empty filters nothing. */
const given = (text: string | undefined): string | null => text?.trim() || null;

const networkOf = (text: string | null): string | null => {
  if (text === null) return null;
  const network = readNetwork(text);
  if (!network) throw new BadRequest("ip is not an IP address or a network");
  return `${network.address}/${network.prefix}`;
};

const domainOf = (text: string | null): string | null =>
  text === null ? null : (readDomain(text) ?? text.toLowerCase());

type ByText = Partial<Record<keyof typeof byText, string>>;

const textFilters = (query: ByText) => ({
  username: given(query.username)?.replace(/^@/, "") ?? null,
  displayName: given(query.display_name),
  domain: domainOf(given(query.by_domain)),
  email: given(query.email),
  ip: networkOf(given(query.ip)),
});

const firstFilter = (query: Static<typeof FirstQuery>): AccountFilter => ({
  origin: query.local ? "local" : query.remote ? "remote" : null,
  states: STATES.filter((state) => query[state] === true),
  staff: query.staff ?? false,
  roleIds: null,
  ...textFilters(query),
});

const oneOf = <T extends string>(
  name: string,
  value: string | null,
  allowed: readonly T[],
): T | null => {
  if (value === null) return null;
  const found = allowed.find((word) => word === value);
  if (!found) throw new BadRequest(`${name} must be one of ${allowed.join(", ")}`);
  return found;
};

const secondFilter = (query: Static<typeof SecondQuery>): AccountFilter => {
  const state = oneOf<State>("status", given(query.status), STATES);
  return {
    origin: oneOf("origin", given(query.origin), ["local", "remote"] as const),
    states: state === null ? [] : [state],
    staff: oneOf("permissions", given(query.permissions), ["staff"] as const) !== null,
    // Nobody was invited: there are no invitations yet.
    roleIds: given(query.invited_by)
      ? []
      : (query.role_ids?.flatMap((id) => parseId(id) ?? []) ?? null),
    ...textFilters(query),
  };
};

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
  server.get(
    "/api/v1/admin/accounts",
    { config, schema: { querystring: FirstQuery } },
    (request, reply) => send(request, reply, firstFilter(request.query)),
  );
  server.get(
    "/api/v2/admin/accounts",
    { config, schema: { querystring: SecondQuery } },
    (request, reply) => send(request, reply, secondFilter(request.query)),
  );
};

const ActionBody = Type.Object({
  type: Type.Optional(Type.String()),
  report_id: Type.Optional(Type.String()),
  warning_preset_id: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  send_email_notification: Type.Optional(Type.Boolean()),
});

const optionalId = (value: string | undefined): string | null => {
  if (!value) return null;
  const id = parseId(value);
  if (id === null) throw new NotFound();
  return id;
};

/** The preset's text, and the moderator's own below it. */
const warningText = async (app: App, body: Static<typeof ActionBody>): Promise<string> => {
  const preset = body.warning_preset_id ? await getPreset(app, body.warning_preset_id) : null;
  return [preset?.text ?? "", body.text?.trim() ?? ""].filter(Boolean).join("\n\n");
};

const actionRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/admin/accounts/:id/action",
    {
      config: adminAccess("write", "accounts"),
      schema: { params: IdParams, body: ActionBody },
    },
    async (request) => {
      const actor = await requestActor(app, request);
      const { body } = request;
      const type = ACTION_TYPES.find((one) => one === body.type);
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

/** These answer with the account; it is gone after the others. */
const COMMANDS: Record<string, Command> = {
  approve: approveAccount,
  enable: enableAccount,
  unsensitive: unsensitizeAccount,
  unsilence: unsilenceAccount,
  unsuspend: unsuspendAccount,
};

const commandRoutes = (server: Server, app: App): void => {
  const config = adminAccess("write", "accounts");
  const schema = { params: IdParams };
  for (const [name, command] of Object.entries(COMMANDS)) {
    server.post(`/api/v1/admin/accounts/:id/${name}`, { config, schema }, async (request) => {
      const id = pathId(request.params.id);
      await command(app, await requestActor(app, request), id);
      return adminAccountEntity(await getAdminAccount(app, id), app.config.site);
    });
  }
  server.post("/api/v1/admin/accounts/:id/reject", { config, schema }, async (request) => {
    await rejectAccount(app, await requestActor(app, request), pathId(request.params.id));
    return {};
  });
  server.delete("/api/v1/admin/accounts/:id", { config, schema }, async (request) => {
    await deleteSuspended(app, await requestActor(app, request), pathId(request.params.id));
    return {};
  });
};

export const adminAccountRoutes = (server: Server, app: App): void => {
  listRoutes(server, app);
  server.get(
    "/api/v1/admin/accounts/:id",
    { config: adminAccess("read", "accounts"), schema: { params: IdParams } },
    async (request) => {
      await requireActor(app, request, "accounts.read");
      const view = await getAdminAccount(app, pathId(request.params.id));
      return adminAccountEntity(view, app.config.site);
    },
  );
  actionRoute(server, app);
  commandRoutes(server, app);
};
