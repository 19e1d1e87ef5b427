// Lets apps sign people up and confirm their addresses. https://docs.joinmastodon.org/methods/accounts/#create,
// https://docs.joinmastodon.org/methods/emails/

import { Type, withBody } from "../../../platform/http/schema.ts";
import type { App } from "../../../platform/app.ts";
import { Forbidden, Unauthorized } from "../../../platform/errors.ts";
import { anyToken } from "../../../platform/http/auth.ts";
import {
  addressKey,
  countAttempt,
  limitHeaders,
  readTally,
} from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { findApp } from "../oauth/apps.ts";
import { tokenEntity } from "../oauth/exchange.ts";
import { issueToken } from "../oauth/tokens.ts";
import { isConfirmed, resendByApp } from "./confirm.ts";
import { PER_ADDRESS as SIGN_UPS_PER_ADDRESS, signUp } from "./sign-up.ts";

const signUpBody = Type.Object({
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
  agreement: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.String()),
  locale: Type.Optional(Type.String()),
  time_zone: Type.Optional(Type.String()),
  invite_code: Type.Optional(Type.String()),
  date_of_birth: Type.Optional(Type.String()),
});

const RESENDS_PER_ADDRESS: Limit = {
  name: "confirmations:ip",
  by: "address",
  count: 25,
  seconds: 300,
};
const RESENDS_PER_PERSON: Limit = {
  name: "confirmations:user",
  by: "person",
  count: 5,
  seconds: 1800,
};

const signUpRoute = (server: Server, app: App): void => {
  const config = anyToken("write", "write:accounts");
  server.post("/api/v1/accounts", withBody(config, signUpBody), async (request, reply) => {
    const { appId, scopes } = request.credentials!;
    const { body } = request;
    const form = {
      username: body.username ?? "",
      email: (body.email ?? "").trim(),
      password: body.password ?? "",
      agreement: body.agreement ?? false,
      reason: body.reason ?? "",
      locale: body.locale ?? null,
      timeZone: body.time_zone ?? null,
      ip: request.ip,
      appId,
      inviteCode: body.invite_code?.trim() || null,
      dateOfBirth: body.date_of_birth ?? null,
    };
    const registered = appId === null ? null : await findApp(app, appId);
    const token = await signUp(app, form, (tx, { userId }) =>
      issueToken(tx, { app_id: appId, user_id: userId, scopes: registered?.scopes ?? scopes }),
    );
    const tally = await readTally(app, SIGN_UPS_PER_ADDRESS, addressKey(request.ip));
    reply.headers(limitHeaders(tally));
    return tokenEntity(token);
  });
};

const emailRoutes = (server: Server, app: App): void => {
  const body = Type.Object({ email: Type.Optional(Type.String()) });
  server.post(
    "/api/v1/emails/confirmations",
    { config: anyToken("write", "write:accounts"), schema: { body } },
    async (request) => {
      const { appId, viewer } = request.credentials!;
      if (!viewer) throw new Forbidden("This method requires an authenticated user");
      await countAttempt(app, RESENDS_PER_ADDRESS, addressKey(request.ip));
      const email = request.body.email?.trim() || null;
      await resendByApp(app, { userId: viewer.userId, appId, email }, async () => {
        await countAttempt(app, RESENDS_PER_PERSON, viewer.userId);
      });
      return {};
    },
  );

  const config = anyToken("read", "read:accounts");
  server.get("/api/v1/emails/check_confirmation", { config }, async (request, reply) => {
    const { viewer } = request.credentials!;
    if (!viewer) throw new Unauthorized("This method requires an authenticated user");
    reply.type("application/json; charset=utf-8");
    return JSON.stringify(await isConfirmed(app, viewer.userId));
  });
};

export const signUpRoutes = (server: Server, app: App): void => {
  signUpRoute(server, app);
  emailRoutes(server, app);
};
