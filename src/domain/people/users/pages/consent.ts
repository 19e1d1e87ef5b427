// Serves the page on which a person authorizes an app (RFC 6749, 4.1.1).

import type { FastifyReply } from "fastify";
import type { Account } from "../../../../../web/src/api/entities.ts";
import type { Inline, Option, Part, Words } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { Forbidden, NotFound } from "../../../../platform/errors.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { says } from "../../../../platform/text/texts.ts";
import { webUrl } from "../../../../platform/text/web-url.ts";
import { getAccount } from "../../accounts/load.ts";
import { accountEntity } from "../../accounts/present.ts";
import { grantCode, isCodeOf, readAuthorization } from "../../oauth/authorization.ts";
import type { Authorization } from "../../oauth/authorization.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { isOutOfBand, withParameters } from "../../oauth/redirect-uris.ts";
import { describeScopes } from "../../oauth/scopes.ts";
import { accessFrom, entered, isMember, personOf } from "../identities/enter.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkForm, visitor } from "./cookies.ts";
import { asAnybody, goTo, sendCard, signInPath } from "./components.ts";
import type { CardContext } from "./components.ts";
import { sendStanding } from "./standing.ts";

/** The parameters that the form carries from the request to the decision. */
const CARRIED = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "lang",
  "account_id",
] as const;

type Params = Partial<Record<string, string>>;

const carried = (params: Params): [string, string][] =>
  CARRIED.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]]));

const isTrue = (text: string | undefined): boolean =>
  text !== undefined && !["", "0", "f", "false", "off"].includes(text.toLowerCase());

const signInFirst = (params: Params, mode?: "force"): string =>
  signInPath(`/oauth/authorize?${new URLSearchParams(carried(params))}`, mode);

const destination = (uri: string): Words => {
  if (isOutOfBand(uri)) return "consent.code_next";
  const host = /^https?:/i.test(uri) && URL.canParse(uri) ? new URL(uri).host : null;
  return host ? ["consent.leads_to", { host }] : "consent.leads_back";
};

/** Offers the accounts as which the app may act: the one in use, and those that need no password of their own. */
const choice = async (app: App, who: SignedIn, chosen: string | undefined) => {
  const access = (await accessFrom(app, who)).filter(({ needs_factor }) => !needs_factor);
  const accounts = [{ account_id: who.accountId, username: who.username }, ...access];
  const first = accounts.find(({ account_id }) => account_id === chosen) ?? accounts[0]!;
  const options = accounts.map(({ account_id, username }): Option => {
    return [account_id, { plain: `@${username}@${app.config.site.localDomain}` }];
  });
  const field = { name: "as", label: "consent.as", as: "radios", options } as const;
  return { fields: [access.length > 0 && field], values: { as: first.account_id } };
};

const appName = ({ name, website }: Authorization["app"]): Inline => {
  const link = webUrl(website);
  const text: Inline = { strong: name };
  if (!link) return text;
  const aside: Inline = { link, text: new URL(link).host, isOutside: true };
  return { say: "words.aside", with: { text, aside } };
};

const DECISIONS = [
  { name: "decision", value: "allow", label: "consent.allow" },
  { name: "decision", value: "deny", label: "consent.deny", kind: "plain" },
] as const;

const sendConsent = async (
  context: CardContext,
  input: { authorization: Authorization; params: Params; who: SignedIn },
) => {
  const { app } = context;
  const { authorization, params, who } = input;
  const scopes = describeScopes(context, authorization.scopes);
  const isForStaff = authorization.scopes.some((scope) => scope.startsWith("admin:"));
  const account = accountEntity(await getAccount(app, who.accountId), app.config.site);
  return sendCard(context, {
    title: ["consent.title", { app: authorization.app.name }],
    media: "any",
    parts: [
      { who: account as Account },
      { text: { say: "consent.asks", with: { app: appName(authorization.app) } } },
      isForStaff && { notice: { say: "consent.admin" }, kind: "bad" },
      { rows: scopes.map(({ title, text }) => ({ title, lines: [text] })) },
      {
        form: {
          action: "/oauth/authorize",
          class: "decision",
          hidden: Object.fromEntries(carried(params)),
          ...(await choice(app, who, params["account_id"])),
          submit: DECISIONS,
        },
      },
      { below: [], before: destination(authorization.redirectUri) },
      {
        below: [[signInFirst(params, "force"), "consent.other_account"]],
        before: "consent.not_you",
      },
    ],
  });
};

const showConsent = async (context: CardContext) => {
  const { app, request, reply } = context;
  const params = readTexts(request.query);
  const authorization = await readAuthorization(app, params);
  const who = await visitor(app, request);
  const force = isTrue(params["force_login"]);
  if (!who || force) return goTo(reply, signInFirst(params, force ? "force" : undefined));
  if (who.standing !== "active") return sendStanding(context, who);
  return sendConsent(context, { authorization, params, who });
};

const allow = async ({ app, reply }: CardContext, authorization: Authorization, who: SignedIn) => {
  const code = await grantCode(app, authorization, who);
  const target = isOutOfBand(authorization.redirectUri)
    ? "/oauth/authorize/native"
    : authorization.redirectUri;
  return goTo(reply, withParameters(target, { code, state: authorization.state }));
};

const deny = (reply: FastifyReply, authorization: Authorization) => {
  const target = isOutOfBand(authorization.redirectUri)
    ? "/oauth/authorize/native"
    : authorization.redirectUri;
  const error_description = "The user denied the request.";
  return goTo(
    reply,
    withParameters(target, {
      error: "access_denied",
      error_description,
      state: authorization.state,
    }),
  );
};

/** Returns the account that the app may act as; throws Forbidden for one that needs its own password. */
const chosenAccount = async (app: App, who: SignedIn, id: string | undefined) => {
  if (who.standing !== "active" || !id || id === who.accountId) return who;
  const chosen = await entered(app, who, id);
  if (!chosen) throw new Forbidden(says("consent.choose"));
  return chosen;
};

/** Handles the form; a DELETE means deny. */
const takeDecision = async (context: CardContext, forced?: "deny") => {
  const { app, request, reply } = context;
  const params = readTexts(request.body);
  const who = await visitor(app, request);
  if (!who) return goTo(reply, signInFirst(params));
  checkForm(app, request);
  const authorization = await readAuthorization(app, params);
  const decision = forced ?? params["decision"];
  if (decision === "deny") return deny(reply, authorization);
  if (decision !== "allow") throw new Forbidden(says("consent.choose"));
  const chosen = await chosenAccount(app, who, params["as"]);
  if (chosen.standing !== "active") return sendStanding(context, chosen);
  const isStaffApp = authorization.scopes.some((scope) => scope.startsWith("admin:"));
  if (isStaffApp && isMember(chosen)) throw new Forbidden();
  return allow(context, authorization, chosen);
};

const showCode = async (context: CardContext) => {
  const { app, request, reply } = context;
  const { code, error } = readTexts(request.query);
  const who = await visitor(app, request);
  if (!who) return goTo(reply, signInPath(request.url));
  if (error === "access_denied") {
    const parts: Part[] = [{ text: { say: "consent.denied_text" } }];
    return sendCard(context, { title: "consent.denied", parts });
  }
  if (!code || !(await isCodeOf(app, code, { userId: who.userId, personId: personOf(who) })))
    throw new NotFound(says("consent.code_invalid"));
  return sendCard(context, {
    title: "consent.code",
    parts: [{ text: { say: "consent.code_text" } }, { text: { copied: code } }],
  });
};

export const consentPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get("/oauth/authorize", page(showConsent));
  server.post("/oauth/authorize", page(takeDecision));
  server.delete(
    "/oauth/authorize",
    page((context) => takeDecision(context, "deny")),
  );
  server.get("/oauth/authorize/native", page(showCode));
};
