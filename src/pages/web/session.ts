// Lets the web client act: POST /web/session gives it a token of the API for the session in the cookie, in exchange for
// the page's form token. Without scripts, the forms of a page are sent on to those routes of the API that take forms.

import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { App } from "../../platform/app.ts";
import { Forbidden, Unauthorized } from "../../platform/errors.ts";
import { formErrorText } from "../../platform/http/error-text.ts";
import { HttpError } from "../../platform/http/http-error.ts";
import { LOOK_COOKIE, lookCookie, lookOf, readLook } from "../../platform/http/look.ts";
import { RETRY_AFTER } from "../../platform/http/overload.ts";
import { overRate } from "../../platform/http/request-rates.ts";
import { lastOf } from "../../platform/http/validate.ts";
import { uploads } from "../../platform/http/body.ts";
import { askInside, textOf } from "../../platform/http/inside.ts";
import type { InnerRequest } from "../../platform/http/inside.ts";
import { asPerson } from "../../platform/viewer.ts";
import { isInPlace, wantsPage } from "../../platform/http/fault-page.ts";
import { UploadedFile } from "../../platform/http/uploaded-file.ts";
import { MAX_ATTACHED } from "../../domain/base/media/limits.ts";
import type { Server } from "../../platform/http/server.ts";
import { pageCredentials } from "../../domain/people/oauth/authenticate.ts";
import { issueClientToken } from "../../domain/people/oauth/client-app.ts";
import { readTexts } from "../../domain/people/oauth/parameters.ts";
import { loadStatuses } from "../../domain/posts/statuses/load.ts";
import { pushToAuthor } from "../../domain/reading/timelines/fanout.ts";
import { drawAgain } from "./fault.ts";
import { formerPage, keepFormerPage, keepSaid } from "./said.ts";
import { showRefused } from "./view.ts";
import { checkForm, visitor } from "../../domain/people/users/pages/cookies.ts";
import { ownPath, refusalOf, signInPath } from "../../domain/people/users/pages/components.ts";
import type { Refusal } from "../../domain/people/users/pages/components.ts";
import { chooseTexts, textsOf } from "../../domain/people/users/pages/texts.ts";
import { refuseStale } from "./as-shown.ts";
import { filesIn, sendable, uploadFiles } from "./form-body.ts";

const giveToken = (app: App) => async (request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const session = await visitor(app, request);
  if (!session) throw new Unauthorized();
  if (session.standing !== "active") throw new Forbidden();
  const { token, scopes, createdAt, seconds } = await issueClientToken(app, session);
  return reply.header("cache-control", "private, no-store").send({
    access_token: token,
    token_type: "Bearer",
    scope: scopes.join(" "),
    created_at: Math.floor(createdAt.getTime() / 1000),
    expires_in: seconds,
  });
};

type Body = Record<string, unknown>;
type Act = Pick<InnerRequest, "method" | "url">;
type Params = Record<string, string>;

/** Returns the path of a route's form: the API's without its version; `delete` at the end stands for the method. */
const formPath = ({ method, url }: RouteOptions): string =>
  `/web/act/${url.replace(/^\/api\/v\d+\//, "")}${method === "DELETE" ? "/delete" : ""}`;

/** Returns the request that a form of the route stands for, with what the path names. */
const actOf = ({ method, url }: RouteOptions, params: Params): Act => ({
  method: [method].flat()[0] as Act["method"],
  url: url.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name]!)),
});

/** A row that changes nothing, which keeps the place of the rows after it: their faults name it. */
const NOTHING = { _destroy: true };

/**
 * Leaves out empty rows of a form, unless one is `needed`, and an end that stays as it is; a row whose word was cleared
 * removes that word.
 */
const withoutBlank = ({ expires_in, ...others }: Body): Body => {
  const isKept = expires_in === undefined || expires_in === "keep";
  const body = isKept ? others : { ...others, expires_in };
  const rows = body["keywords_attributes"];
  if (!rows || typeof rows !== "object") return body;
  const kept = Object.values(rows).map(({ needed, ...row }: Body) => {
    const { id, keyword } = row;
    if (needed !== undefined) return row;
    const isBlank = typeof keyword === "string" && keyword.trim() === "";
    if (id === undefined) return isBlank || keyword === undefined ? NOTHING : row;
    return isBlank ? { id, _destroy: true } : row;
  });
  return { ...body, keywords_attributes: kept };
};

/** Adds UTC to a date field, which has no zone without scripts. */
const withZone = (body: Body): Body => {
  const { scheduled_at: at } = body;
  const isBare = typeof at === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(at);
  return isBare ? { ...body, scheduled_at: `${at}Z` } : body;
};

/** Splits a textarea of addresses into lines. */
const withLines = (body: Body): Body => {
  const { attribution_domains: lines } = body;
  if (typeof lines !== "string") return body;
  return { ...body, attribution_domains: lines.split(/\s+/).filter(Boolean) };
};

const LOOK_SECONDS = 400 * 86_400;

/** Returns where the form was sent from; anything but a path of this server leads home. */
const backTo = (app: App, request: FastifyRequest): string =>
  ownPath(app, readTexts(request.body)["back"]) ?? "/home";

/** Returns the page that had the form. */
const fromOf = (app: App, request: FastifyRequest): string =>
  ownPath(app, readTexts(request.body)["from"]) ?? backTo(app, request);

/** Returns the fields of the form, without those of the page. */
const bodyOf = (request: FastifyRequest): Body => {
  const {
    form_token: _token,
    back: _back,
    from: _from,
    done: _done,
    drawn: _drawn,
    idempotency_key: _key,
    ...body
  } = (request.body ?? {}) as Body;
  const entries = Object.entries(body).map(([name, value]) => [name, lastOf(value)]);
  return withZone(withLines(withoutBlank(Object.fromEntries(entries))));
};

/** The API's own words for what it refused; "" where it said nothing. */
type Refused = { error?: unknown; held?: unknown };

const refusedOf = (text: string): Refused => (text.startsWith("{") ? JSON.parse(text) : {});

/**
 * Returns an idempotency key: the same form sent twice is one post; with another text it is another, even if the
 * browser went back to it.
 */
const idempotencyKeyOf = (request: FastifyRequest): string | null => {
  const { idempotency_key: key } = (request.body ?? {}) as Body;
  if (typeof key !== "string" || key === "") return null;
  const sent = JSON.stringify([key, bodyOf(request)], (_name, value: unknown) =>
    value instanceof UploadedFile ? [value.filename, value.size] : value,
  );
  return createHash("sha256").update(sent).digest("base64url");
};

const POSTS = "/api/v1/statuses";

/** Whether a refused post leads to the page to write on, with its text. */
const mayWriteOn = (request: FastifyRequest, { url, method }: Act): boolean =>
  url === POSTS && method === "POST" && wantsPage(request);

/** Returns the page to write on with what was written, so that no text is lost. */
const composePath = (form: Partial<Record<string, string>>, { list_ids, media_ids }: Body) => {
  const fields = {
    text: form["status"],
    in_reply_to: form["in_reply_to_id"],
    quote: form["quoted_status_id"],
    visibility: form["visibility"],
    warning: form["spoiler_text"],
    content_type: form["content_type"],
    quote_policy: form["quote_approval_policy"],
    reply_policy: form["reply_approval_policy"],
    expires_in: form["expires_in"],
    sensitive: form["sensitive"],
    lists: Array.isArray(list_ids) ? list_ids.join() : undefined,
    media: Array.isArray(media_ids) ? media_ids.join() : undefined,
  };
  const known = Object.entries(fields).filter((field): field is [string, string] => !!field[1]);
  return `/compose?${new URLSearchParams(known)}`;
};

/** Returns a list of the form as fields with names of their own. */
const numbered = (name: string, { [name]: values }: Body): Record<string, string> =>
  Object.fromEntries([values ?? []].flat().map((value, n) => [`${name}[${n}]`, String(value)]));

/** Page where authors find posts that wait for a moderator. */
const HELD_POSTS = "/scheduled";

/** Whether a failure was not caused by what was written, so that it can be sent again from the error page. */
const mayPassBy = (status: number): boolean => status >= 500 || status === 429;

type Failed = Pick<Refusal, "status" | "problem"> & { retryAfter: string | null };

const showFailed = async (
  server: Server,
  app: App,
  reply: FastifyReply,
  { status, problem = "", retryAfter }: Failed,
): Promise<FastifyReply> => {
  const { request } = reply;
  if (retryAfter !== null) reply.header("retry-after", retryAfter);
  const body = (request.body ?? {}) as Body;
  const form = readTexts(body);
  if (!mayPassBy(status))
    return showRefused(server, app, reply, composePath(form, body), { status, problem });
  const uploaded = numbered("media_ids", body);
  const rows = { first: Object.keys(uploaded).length, total: MAX_ATTACHED };
  const files = filesIn(body).length > 0 ? rows : null;
  const fields = { ...form, ...numbered("list_ids", body), ...uploaded };
  const again = { action: request.url, fields, files };
  const { html, headers } = await drawAgain(app, request, { status, message: problem }, again);
  return reply.code(status).headers(headers).send(html);
};

/** Sends the form on to the API on behalf of the signed-in person; null if nobody is signed in. */
const askApi = async (server: Server, app: App, request: FastifyRequest, act: Act) => {
  const session = await visitor(app, request);
  if (!session) return null;
  const isPost = act.url === POSTS;
  const key = isPost ? idempotencyKeyOf(request) : null;
  const credentials = await pageCredentials(app, session);
  const ask = (more: Omit<InnerRequest, "ip">) =>
    askInside(server, credentials, { ...more, ip: request.ip });
  const refused = isPost
    ? await uploadFiles(ask, request.body as Body)
    : await refuseStale(ask, act.url, (request.body ?? {}) as Body);
  const sent = await sendable(bodyOf(request));
  return refused ?? ask({ ...sent, ...act, ...(key && { idempotencyKey: key }) });
};

/** Shows the page with the form again, with what was entered and what is wrong with it; other errors have pages. */
const showAgain = async (
  server: Server,
  app: App,
  reply: FastifyReply,
  error: Error,
): Promise<FastifyReply> => {
  const { request } = reply;
  await chooseTexts(app, request);
  const refused = refusalOf({ ...textsOf(request), app, request, reply }, error);
  const who = await visitor(app, request);
  if (who) await keepFormerPage(app, who.sessionId, request.url, fromOf(app, request));
  return showRefused(server, app, reply, fromOf(app, request), refused);
};

/** Leads back to the page with the form, which says what was done. */
const leadBack = async (app: App, reply: FastifyReply): Promise<FastifyReply> => {
  const { request } = reply;
  const { done } = readTexts(request.body);
  const who = done ? await visitor(app, request) : null;
  if (done && who) await keepSaid(app, who.sessionId, done);
  return reply.redirect(backTo(app, request), 303);
};

/** Lets the next page have the post, which a worker puts into feeds only later. */
const showToAuthor = async (app: App, text: string): Promise<void> => {
  const { id, account } = JSON.parse(text) as { id: string; account?: { id: string } };
  // A scheduled post is no post of an account yet.
  const views = account ? await loadStatuses(app, [id], asPerson(account.id)) : [];
  for (const view of views.filter((each) => !each.awaits_approval)) await pushToAuthor(app, view);
};

/** Leads whoever opens the address of a form again to the page that it was refused on. */
const leadToForm = (app: App) => async (request: FastifyRequest, reply: FastifyReply) => {
  const who = await visitor(app, request);
  const from = who && (await formerPage(app, who.sessionId, request.url));
  return reply.header("cache-control", "private, no-store").redirect(from ?? "/home", 303);
};

const sendOn =
  (server: Server, app: App, route: RouteOptions) =>
  async (request: FastifyRequest<{ Params: Params }>, reply: FastifyReply) => {
    checkForm(app, request);
    const act = actOf(route, request.params);
    const isPost = mayWriteOn(request, act);
    const tooMany = overRate(request);
    if (tooMany && !isPost) throw tooMany;
    if (tooMany) {
      const retryAfter = String(tooMany.retryAfter);
      return showFailed(server, app, reply, { status: 429, retryAfter });
    }
    // While the database is away, nobody can find out who is signed in.
    if (isPost && app.pulse.fault() === "away") {
      const retryAfter = String(RETRY_AFTER.away);
      return showFailed(server, app, reply, { status: 503, retryAfter });
    }
    const answer = await askApi(server, app, request, act);
    if (!answer) return reply.redirect(signInPath(fromOf(app, request)), 303);
    const { status, retryAfter } = answer;
    const text = textOf(answer);
    const { error: why = "", held }: Refused = status < 400 ? {} : refusedOf(text);
    const error = answer.error ?? new HttpError(status, typeof why === "string" ? why : "");
    if (isPost && held === true) return reply.redirect(HELD_POSTS, 303);
    if (status >= 400 && isPost) {
      await chooseTexts(app, request);
      const problem = formErrorText(textsOf(request).t, error);
      return showFailed(server, app, reply, { status, problem, retryAfter });
    }
    if (status >= 400 && wantsPage(request)) return showAgain(server, app, reply, error);
    if (status >= 400) throw error;
    if (isInPlace(request)) return reply.type("application/json").send(text);
    if (isPost) await showToAuthor(app, text);
    return leadBack(app, reply);
  };

/** Stores how pages look in this browser: the cookie holds nothing but choices from a list. */
const keepLook = (app: App) => async (request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const look = readLook({ ...lookOf(request), ...(request.body as object | undefined) });
  reply.setCookie(LOOK_COOKIE, lookCookie(look), {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: app.config.site.https,
    maxAge: LOOK_SECONDS,
  });
  if (isInPlace(request)) return reply.send({ look });
  return leadBack(app, reply);
};

export const clientRoutes = (server: Server, app: App): void => {
  server.post("/web/session", giveToken(app));
  for (const route of server.routeTable.filter(({ config }) => config?.form)) {
    // The API takes the files of a post before it.
    const { upload } = route.url === POSTS ? uploads(MAX_ATTACHED) : route.config!;
    server.post(
      formPath(route),
      { config: { ...(upload && { upload }) } },
      sendOn(server, app, route),
    );
  }
  server.get("/web/act/*", leadToForm(app));
  server.post("/web/look", keepLook(app));
};
