// The sign-in page.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { headersOf } from "../../../../platform/http/http-error.ts";
import { againText } from "../../../../platform/http/error-text.ts";
import { OverLimit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { checkLogin, mayUseRights, mayUsePages } from "../sign-in.ts";
import type { Login, SignedIn } from "../sign-in.ts";
import { registrationMode } from "../sign-up.ts";
import { checkForm, formField, knownBrowser, signIn, visitor } from "./cookies.ts";
import { heldAccounts } from "./held-accounts.ts";
import { HOME, goOn, doneNote } from "./member.ts";
import { goTo, inputField, notice, ownPath, sendCard } from "./components.ts";
import { passkeyUse } from "./passkey-use.ts";
import { goToSecondStep } from "./second-step.ts";
import { sendStanding } from "./standing.ts";
import { textsOf } from "./texts.ts";

/** Characters of the longest password that is checked: longer ones are never valid and would only cost time. */
const PASSWORD_LIMIT = 200;

const DONE = {
  password: "sign_in.done_password",
  signed_out: "sign_in.done_signed_out",
  deleted: "sign_in.done_deleted",
} as const;

type Shown = { login?: string; returnTo: string | null; fault?: string; status?: number };

const signInForm = async (app: App, request: FastifyRequest, reply: FastifyReply, shown: Shown) => {
  const { t } = textsOf(request);
  const open = (await registrationMode(app)) !== "closed";
  const passkey = passkeyUse(app, request, reply, { returnTo: shown.returnTo });
  return sendCard(app, reply, {
    title: t("sign_in.title"),
    status: shown.status ?? 200,
    script: passkey.script,
    body: html`${shown.fault ? notice(shown.fault, "bad") : doneNote(request, DONE)}
      <form method="post" action="/auth/sign_in">
        ${formField(app, request, reply)}
        ${shown.returnTo && html`<input type="hidden" name="return_to" value="${shown.returnTo}" />`}
        ${inputField({
          name: "login",
          label: t("sign_in.login"),
          value: shown.login ?? "",
          autocomplete: "username",
          autofocus: !shown.login,
        })}
        ${inputField({
          name: "password",
          label: t("field.password"),
          type: "password",
          autocomplete: "current-password",
          autofocus: Boolean(shown.login),
        })}
        <button class="button">${t("sign_in.title")}</button>
      </form>
      ${passkey.body} ${await heldAccounts(app, request, reply, shown.returnTo)}`,
    below: html`${open && html`<a href="/auth/sign_up">${t("sign_in.create")}</a> · `}<a
        href="/auth/password/new"
        >${t("sign_in.forgot")}</a
      >
      · <a href="/auth/confirmation/new">${t("sign_in.no_mail")}</a>`,
  });
};

const showSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const query = readTexts(request.query);
  const returnTo = ownPath(app, query["return_to"]);
  const who = query["force"] ? null : await visitor(app, request);
  if (who && mayUsePages(who)) return goTo(reply, returnTo ?? HOME);
  return signInForm(app, request, reply, { returnTo });
};

/** Returns the same text whether or not there is such an account. */
const limitWords = (t: Say, error: OverLimit): string => {
  const isNetwork = error.limit.by === "address";
  const again = againText(t, error);
  return t(isNetwork ? "sign_in.often_network" : "sign_in.often_account", { again });
};

const takeSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const { t } = textsOf(request);
  const { login = "", password = "", return_to } = readTexts(request.body);
  const returnTo = ownPath(app, return_to);
  const input: Login = {
    login: login.slice(0, 320),
    password,
    ip: request.ip,
    knownBrowser: (who) => knownBrowser(app, request, who),
  };
  const show = (fault: string, status: number) =>
    signInForm(app, request, reply, { login, returnTo, fault, status });
  let who: SignedIn | null;
  try {
    who = password.length > PASSWORD_LIMIT ? null : await checkLogin(app, input);
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    reply.headers(headersOf(error));
    return show(limitWords(t, error), 429);
  }
  if (!who) return show(t("sign_in.wrong"), 422);
  if (!mayUseRights(who)) return sendStanding(app, request, reply, who);
  if (who.twoFactor) return goToSecondStep(app, reply, who, returnTo);
  await signIn(app, request, reply, who);
  return goOn(app, request, reply, { who, returnTo });
};

export const signInPages = (server: Server, app: App): void => {
  server.get("/auth/sign_in", (request, reply) => showSignIn(app, request, reply));
  server.post("/auth/sign_in", (request, reply) => takeSignIn(app, request, reply));
};
