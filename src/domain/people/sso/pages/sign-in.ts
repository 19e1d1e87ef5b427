// Sends people to a provider and takes them back: to sign in, or to add the provider to their account.

import type { FastifyReply } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { orNotFound } from "../../../../platform/errors.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { asAnybody, goTo, goalOf, refusable, signInPath } from "../../users/pages/components.ts";
import type { CardContext } from "../../users/pages/components.ts";
import { checkForm, keepSsoTokens, ssoTokens, visitor } from "../../users/pages/cookies.ts";
import { AGAIN, asMember } from "../../users/pages/member.ts";
import type { PageContext } from "../../users/pages/member.ts";
import { signInForm } from "../../users/pages/sign-in.ts";
import { find, keep, read, take } from "../attempts.ts";
import type { Attempt } from "../attempts.ts";
import { link } from "../enter.ts";
import { providerFault, protocolOf } from "../protocols.ts";
import { OPEN_ID, SAML_ID, callbackUrl, findProvider, listProviders } from "../providers.ts";
import type { Provider } from "../tables.ts";
import { identitiesOf } from "../ways.ts";
import { sendFault } from "./buttons.ts";
import { goIn } from "./entry.ts";

const BEGUN: Limit = { name: "sso:ip", by: "address", count: 30, seconds: 300 };
const RETURNED: Limit = { name: "sso-back:ip", by: "address", count: 30, seconds: 300 };

const BROUGHT: Limit = { name: "sso-brought:ip", by: "address", count: 30, seconds: 300 };
/** Characters of a message: some providers say much about a person. */
const MAX_BROUGHT = 128 * 1024;

export const WAYS = "/settings/ways";

/** Throws OverLimit after too many sign-ins from an address. */
export const countBegun = ({ app, request }: CardContext) =>
  countAttempt(app, BEGUN, addressKey(request.ip));

const idOf = ({ request }: CardContext): string => (request.params as { id: string }).id;

/** Returns where somebody tries again who is not let in. */
const againOf = ({ link, returnTo }: Pick<Attempt, "returnTo" | "link">): string =>
  link ? WAYS : signInPath(returnTo, "force");

/** Runs `work` with the provider, and shows what goes wrong there. */
const atProvider = async (
  context: CardContext,
  provider: Provider,
  attempt: Pick<Attempt, "returnTo" | "link">,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> => {
  try {
    return await work();
  } catch (error) {
    const fault = providerFault(error);
    if (fault === null) throw error;
    context.app.log.warn(
      { provider: provider.issuer, fault, why: (error as Error).message },
      "a sign-in by a provider failed",
    );
    return sendFault(context, provider, fault, againOf(attempt));
  }
};

/**
 * Redirects to the provider; `link` names the account that the way is to be added to. Whether the provider still
 * answers is not asked before: it could stop a moment later, and each sign-in would wait for it.
 */
export const goToProvider = async (
  context: CardContext,
  id: string,
  attempt: Pick<Attempt, "returnTo" | "link">,
): Promise<FastifyReply> => {
  const { app, request, reply } = context;
  const provider = orNotFound(await findProvider(app, id));
  await countBegun(context);
  return atProvider(context, provider, attempt, async () => {
    const protocol = await protocolOf(app, provider);
    const { url, kept } = await protocol.begin(callbackUrl(app, provider));
    const token = await keep(app, "attempt", { providerId: id, kept, ...attempt });
    keepSsoTokens(app, reply, [token, ...ssoTokens(app, request)]);
    return goTo(reply, url);
  });
};

const begin = (context: CardContext): Promise<FastifyReply> => {
  const { app, request } = context;
  checkForm(app, request);
  return goToProvider(context, idOf(context), { returnTo: goalOf(context), link: null });
};

/**
 * Leads somebody who has no password to their provider, and back to the page that asks who they are; those who sign in
 * otherwise, or by several, to where they choose.
 */
const goAgain = async (context: PageContext): Promise<FastifyReply> => {
  const { app, reply, who } = context;
  const returnTo = goalOf(context);
  const identities = who.accessId === null ? await identitiesOf(app, who.userId) : [];
  const [row] = identities;
  const provider = (await listProviders(app)).find(({ issuer }) => issuer === row?.issuer);
  if (provider && identities.length === 1)
    return goToProvider(context, provider.id, { returnTo, link: null });
  return goTo(reply, signInPath(returnTo, "force"));
};

/** Whether the account that asked for one more way is still the one in use, in the same session. */
const isStill = async ({ app, request }: CardContext, { link }: Attempt): Promise<boolean> => {
  const who = link && (await visitor(app, request));
  return who?.userId === link?.userId && who?.sessionId === link?.sessionId;
};

/** Returns the address to which somebody comes back, with what the browser brought before, if a form brought it. */
const cameBackTo = async ({ app, request }: CardContext, provider: Provider): Promise<string> => {
  const { search, searchParams } = new URL(request.url, app.config.site.origin);
  const brought = await read(app, "brought", searchParams.get("brought"));
  const query = brought ? `?${new URLSearchParams({ SAMLResponse: brought.message })}` : search;
  return callbackUrl(app, provider) + query;
};

const comeBack = async (context: CardContext, id: string): Promise<FastifyReply> => {
  const { app, request, reply } = context;
  const provider = orNotFound(await findProvider(app, id));
  await countAttempt(app, RETURNED, addressKey(request.ip));
  const protocol = await protocolOf(app, provider);
  const callback = await cameBackTo(context, provider);
  const isAnswered = ({ providerId, kept }: Attempt): boolean =>
    providerId === provider.id && protocol.answers(callback, kept);
  const begun = await find(app, "attempt", ssoTokens(app, request), isAnswered);
  const attempt = begun && (await take(app, "attempt", begun.token));
  if (!attempt || !(await isStill(context, attempt))) {
    const again = againOf(attempt ?? { returnTo: null, link: null });
    return sendFault(context, provider, "mismatch", again);
  }
  return atProvider(context, provider, attempt, async () => {
    const signIn = await protocol.finish(callback, attempt.kept);
    if (!attempt.link) return goIn(context, provider, signIn, attempt.returnTo);
    await link(app, attempt.link.userId, provider, signIn);
    return goTo(reply, `${WAYS}?done=added`);
  });
};

/** Keeps what a form of the provider brings, since no cookie came with it; the browser asks again with its cookies. */
const takeBrought = async (context: CardContext): Promise<FastifyReply> => {
  const { app, request, reply } = context;
  const provider = orNotFound(await findProvider(app, SAML_ID));
  await countAttempt(app, BROUGHT, addressKey(request.ip));
  const { SAMLResponse: message = "" } = readTexts(request.body);
  if (message.length > MAX_BROUGHT)
    return sendFault(context, provider, "invalid", signInPath(null, "force"));
  const brought = await keep(app, "brought", { message });
  reply.header("cache-control", "private, no-store");
  return reply.redirect(`${callbackUrl(app, provider)}?${new URLSearchParams({ brought })}`, 303);
};

/** Says to providers how they reach this server. */
const sendMetadata = async ({ app, reply }: CardContext): Promise<FastifyReply> => {
  const { saml } = orNotFound(app.config.saml);
  const { ownMetadata } = await (await import("#sso")).loadSaml();
  reply.type("application/samlmetadata+xml; charset=utf-8");
  return reply.send(ownMetadata(saml, callbackUrl(app, { id: SAML_ID })));
};

export const ssoSignInPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.post("/auth/sso/:id", page(refusable(begin, (each) => signInForm(each, goalOf(each)))));
  server.get(AGAIN, asMember(app, goAgain));
  server.get(
    "/auth/sso/:id/callback",
    page((context) => comeBack(context, idOf(context))),
  );
  // Mastodon's addresses, which providers of servers that were one know.
  for (const id of [OPEN_ID, SAML_ID])
    server.get(
      `/auth/auth/${id}/callback`,
      page((context) => comeBack(context, id)),
    );
  server.post("/auth/auth/saml/callback", page(takeBrought));
  server.get("/auth/auth/saml/metadata", page(sendMetadata));
};
