// Serves /api/v1/sharing: who uses an account besides its own person, and which accounts are shared with somebody
// (docs/API-EXTENSIONS.md). Only tokens of the account itself are accepted, not those of a member or of a linked
// account.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { Forbidden, InvalidFields, NotFound, invalidFields } from "../../../../platform/errors.ts";
import { user, viewerOf } from "../../../../platform/http/auth.ts";
import { extension } from "../../../../platform/http/extension.ts";
import type { ErrorStatus, ResponseShape } from "../../../../platform/http/extension.ts";
import { pathId } from "../../../../platform/http/incoming.ts";
import { IdParams, Type } from "../../../../platform/http/schema.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { isoTime } from "../../../../platform/ids/index.ts";
import { entitiesFor } from "../../accounts/entities-for.ts";
import { loadAccounts } from "../../accounts/load.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { sharedWith } from "./enter.ts";
import {
  acceptInvitation,
  changeRole,
  inviteMember,
  leaveShared,
  membersOf,
  removeMember,
} from "./members.ts";

const sharing = (success: ResponseShape, ...errors: ErrorStatus[]) => ({
  config: extension(user("sharing"), "accounts", success, ...errors),
});

const Text = Type.Optional(Type.String());
const InviteBody = Type.Object({ username: Text, role: Text, password: Text });
const RoleBody = Type.Object({ role: Text });

/** Returns the account as signed in with its own password, which managing members requires. */
const ownSignIn = async (app: App, request: FastifyRequest): Promise<SignedIn> => {
  const { userId, by } = viewerOf(request);
  const who = by ? null : await findPerson(app, userId);
  if (!who) throw new Forbidden();
  return who;
};

type Shared = {
  id: string;
  account_id: string;
  role: string;
  created_at: Date;
  accepted_at: Date | null;
};

/** Presents both lists: members, and shared accounts. `accepted_at` is null while somebody is invited. */
const entitiesOf = async (app: App, who: SignedIn, rows: Shared[]) => {
  const views = await loadAccounts(
    app,
    rows.map(({ account_id: id }) => id),
  );
  const shown = rows.filter(({ account_id: id }) => views.has(id));
  const accounts = shown.map(({ account_id: id }) => views.get(id)!);
  const entities = await entitiesFor(app, accounts, who.accountId);
  return shown.map(({ id, role, created_at: at, accepted_at: acceptedAt }, n) => ({
    id,
    account: entities[n],
    role,
    created_at: isoTime(at),
    accepted_at: acceptedAt && isoTime(acceptedAt),
  }));
};

/** Returns the entity that an act was about. */
const entityOf = async (app: App, who: SignedIn, row: Shared | undefined) => {
  const [entity] = row ? await entitiesOf(app, who, [row]) : [];
  if (!entity) throw new NotFound();
  return entity;
};

/** Maps the page's fields, by which the command names its faults, to parameters. */
const PARAMETERS: Record<string, string> = { name: "username", current_password: "password" };

const byParameter = (error: unknown): never => {
  if (!(error instanceof InvalidFields)) throw error;
  throw invalidFields(
    error.faults.map((fault) => ({ ...fault, field: PARAMETERS[fault.field] ?? fault.field })),
  );
};

const memberRoutes = (server: Server, app: App): void => {
  const member = async (who: SignedIn, id: string) =>
    entityOf(
      app,
      who,
      (await membersOf(app, who)).find((row) => row.id === id),
    );

  server.get("/api/v1/sharing/members", sharing(["SharedAccess"]), async (request) => {
    const who = await ownSignIn(app, request);
    return entitiesOf(app, who, await membersOf(app, who));
  });
  server.post(
    "/api/v1/sharing/members",
    { ...sharing("SharedAccess", "422"), schema: { body: InviteBody } },
    async (request) => {
      const who = await ownSignIn(app, request);
      const { username: name = "", role = "author", password = "" } = request.body;
      const id = await inviteMember(app, who, { name, role, password }).catch(byParameter);
      return member(who, id);
    },
  );
  server.patch(
    "/api/v1/sharing/members/:id",
    { ...sharing("SharedAccess", "404", "422"), schema: { params: IdParams, body: RoleBody } },
    async (request) => {
      const who = await ownSignIn(app, request);
      const id = pathId(request.params.id);
      await changeRole(app, who, { id, role: request.body.role ?? "" });
      return member(who, id);
    },
  );
  server.delete(
    "/api/v1/sharing/members/:id",
    { ...sharing("Empty", "404"), schema: { params: IdParams } },
    async (request) => {
      await removeMember(app, await ownSignIn(app, request), pathId(request.params.id));
      return {};
    },
  );
};

export const sharingRoutes = (server: Server, app: App): void => {
  memberRoutes(server, app);

  server.get("/api/v1/sharing/accounts", sharing(["SharedAccess"]), async (request) => {
    const who = await ownSignIn(app, request);
    return entitiesOf(app, who, await sharedWith(app, who));
  });
  const accepted = { ...sharing("SharedAccess", "404"), schema: { params: IdParams } };
  server.post("/api/v1/sharing/accounts/:id/accept", accepted, async (request) => {
    const who = await ownSignIn(app, request);
    const id = pathId(request.params.id);
    await acceptInvitation(app, who, id);
    const rows = await sharedWith(app, who);
    return entityOf(
      app,
      who,
      rows.find((row) => row.id === id),
    );
  });
  const left = { ...sharing("Empty", "404"), schema: { params: IdParams } };
  server.delete("/api/v1/sharing/accounts/:id", left, async (request) => {
    await leaveShared(app, await ownSignIn(app, request), pathId(request.params.id));
    return {};
  });
};
