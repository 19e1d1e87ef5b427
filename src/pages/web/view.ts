// Sends a page of the web client, drawn here from the API's responses to the requester; the client continues from it.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageRequest, Refused, Rendered, ServersPage } from "../../../web/src/served/pages.ts";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { pageCredentials } from "../../domain/people/oauth/authenticate.ts";
import { formToken, formTokenOf, visitor } from "../../domain/people/users/pages/cookies.ts";
import { isAuthor } from "../../domain/people/users/identities/enter.ts";
import type { SendFramed } from "../../domain/people/users/pages/framed.ts";
import type { Refusal } from "../../domain/people/users/pages/components.ts";
import { textsOf } from "../../domain/people/users/pages/texts.ts";
import { loadBundle } from "./bundle.ts";
import {
  SHARED,
  VARY,
  asHttpError,
  askAs,
  documentHeaders,
  pageRequest,
  sendCompressed,
} from "./document.ts";
import { encoded } from "./encoding.ts";
import { askingOnce, drawOnce, sendable } from "./drawn.ts";
import { rememberTitle } from "./fault.ts";
import { inputsOf } from "./form-body.ts";
import { dropSaid, keptSaid } from "./said.ts";

const renderPage = async (page: PageRequest): Promise<Rendered> => {
  try {
    return await (await loadBundle()).renderPage(page);
  } catch (error) {
    throw asHttpError(error);
  }
};

/** Returns who requests a page, and what they may see. */
const askingOf = async (server: Server, app: App, request: FastifyRequest) => {
  const who = await visitor(app, request);
  const credentials = who?.standing === "active" ? await pageCredentials(app, who) : null;
  const asking = askingOnce(askAs(server, request, credentials, who?.locale));
  const reader = { credentials, locale: who?.locale, ask: asking.ask };
  const page = await pageRequest(app, server, request, reader);
  const isShared = who !== null && isAuthor(who);
  return {
    who,
    asking,
    page: { ...page, isAuthor: isShared, formToken: who ? formTokenOf(app, request) : "" },
  };
};

const saidTo = async (app: App, request: FastifyRequest): Promise<string | null> => {
  const who = await visitor(app, request);
  return who && keptSaid(app, who.sessionId);
};

export type ShowView = (
  request: FastifyRequest,
  reply: FastifyReply,
  cacheControl?: string,
) => Promise<FastifyReply>;

/** Pages where visitors say which server is theirs, and are sent to it. */
const INTERACT = /^\/interact(?:[/?]|$)/;

/** Shows the page of the request's address. */
export const showView =
  (server: Server, app: App): ShowView =>
  async (request, reply, cacheControl = SHARED) => {
    const [{ who, asking, page }, said] = await Promise.all([
      askingOf(server, app, request),
      saidTo(app, request),
    ]);
    const draw = (): Promise<Rendered> => renderPage({ ...page, ...(said && { said }) });
    const rendered = who ? sendable(await draw()) : await drawOnce(app, page, asking, draw);
    const headers = { vary: VARY, "cache-control": who ? "private, no-store" : cacheControl };
    if (rendered.kind === "redirect") return reply.headers(headers).redirect(rendered.to, 302);
    if (who && said) await dropSaid(app, who.sessionId);
    rememberTitle(app, rendered.siteTitle);
    reply.code(rendered.status);
    const leadsElsewhere = INTERACT.test(request.url);
    const document = documentHeaders(app, { leadsElsewhere });
    return sendCompressed(reply, rendered.data, { ...document, ...headers });
  };

/** Shows the page of `url` with what was entered in the form that was sent, and why it was refused. */
export const showRefused = async (
  server: Server,
  app: App,
  reply: FastifyReply,
  url: string,
  { status, problem, faults = {}, isStale }: Refusal,
): Promise<FastifyReply> => {
  const { request } = reply;
  const { page } = await askingOf(server, app, request);
  const entered = inputsOf((request.body ?? {}) as object);
  const rendered = await renderPage({
    ...page,
    url,
    refused: {
      action: request.url.split("?")[0]!,
      fields: entered,
      faults,
      isStale,
      text: problem ?? textsOf(request).t("staff.check_fields"),
    },
  });
  if (rendered.kind === "redirect") return reply.redirect(rendered.to, 303);
  return reply
    .code(status)
    .headers({ ...documentHeaders(app), "cache-control": "private, no-store" })
    .send(encoded(rendered.parts, "identity"));
};

/** Returns the form, or the search in a list, that was refused, with what was entered. */
const refusedOf = (
  { method, url, body, query }: FastifyRequest,
  faults: Refused["faults"] = {},
  isStale = false,
): Pick<ServersPage, "refused" | "search"> => {
  const isSent = method === "POST";
  const fields = inputsOf((isSent ? body : query) ?? {});
  return {
    [isSent ? "refused" : "search"]: { action: url.split("?")[0]!, fields, faults, isStale },
  };
};

/** Shows what a slice has drawn, within the requester's frame or as a card. */
export const showFramed = (server: Server, app: App): SendFramed => {
  const asNobody = async (request: FastifyRequest) => {
    const locale = (await visitor(app, request))?.locale;
    return pageRequest(app, server, request, { credentials: null, locale });
  };
  return async (reply, { status, faults, isStale, sent, card, ...more }) => {
    const { request } = reply;
    const frame = card ? await asNobody(request) : (await askingOf(server, app, request)).page;
    const page = {
      ...more,
      ...(status >= 400 && refusedOf(request, faults, isStale)),
      ...(sent && { refused: { ...sent, fields: inputsOf(sent.fields), faults: {} } }),
      formToken: () => formToken(app, request, reply),
      isCard: card !== undefined,
    };
    const { renderFramed } = await loadBundle();
    const document = await renderFramed(frame, page);
    const headers = { ...documentHeaders(app), "cache-control": "private, no-store" };
    return reply
      .code(status)
      .headers(card ?? headers)
      .send(document);
  };
};
