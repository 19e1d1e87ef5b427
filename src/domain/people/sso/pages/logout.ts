// Takes what providers send to end sessions here, and offers to sign out of the provider too.

import type { App } from "../../../../platform/app.ts";
import { orNotFound } from "../../../../platform/errors.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { asAnybody, goTo, sendCard } from "../../users/pages/components.ts";
import type { CardContext } from "../../users/pages/components.ts";
import { ssoTokens } from "../../users/pages/cookies.ts";
import { find, take } from "../attempts.ts";
import { providerFault } from "../protocols.ts";
import { SIGNED_OUT, findProvider } from "../providers.ts";

/** Providers tell of many people at once, as a working day ends. */
const TOLD: Limit = { name: "sso-logout:ip", by: "address", count: 2_000, seconds: 300 };

const takeMessage = async ({ app, request, reply }: CardContext) => {
  await countAttempt(app, TOLD, addressKey(request.ip));
  const { id } = request.params as { id: string };
  const provider = orNotFound(await findProvider(app, id));
  const { logout_token = "" } = readTexts(request.body);
  reply.header("cache-control", "no-store").type("application/json; charset=utf-8");
  try {
    const { takeLogout } = await import("#sso-accounts");
    await takeLogout(app, provider, logout_token);
    return reply.code(200).send("{}");
  } catch (error) {
    const fault = providerFault(error);
    if (fault === null) throw error;
    app.log.warn({ provider: provider.issuer, fault }, "a message to sign out was refused");
    return reply.code(400).send(JSON.stringify({ error: "invalid_request" }));
  }
};

const showSignedOut = async (context: CardContext) => {
  const { app, request, reply } = context;
  const kept = await find(app, "end", ssoTokens(app, request));
  const end = kept && (await take(app, "end", kept.token));
  if (!end) return goTo(reply, SIGNED_OUT);
  const { name, url } = end;
  return sendCard(context, {
    title: "sso.signed_out",
    parts: [
      { text: { say: "sso.signed_out_text", values: { name } } },
      {
        text: { link: url, text: { say: "sso.sign_out_there", values: { name } }, isButton: true },
      },
      { below: [["/auth/sign_in", "sign_in.title"]] },
    ],
  });
};

export const logoutPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.post("/auth/sso/:id/logout", page(takeMessage));
  server.get("/auth/sso/signed_out", page(showSignedOut));
};
