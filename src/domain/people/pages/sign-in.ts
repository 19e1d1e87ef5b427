// The sign-in page.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { headersOf } from "../../../platform/http/http-error.ts";
import { OverLimit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { checkLogin, mayAppeal, mayUsePages } from "../sign-in.ts";
import type { Login, SignedIn } from "../sign-in.ts";
import { registrationMode } from "../sign-up.ts";
import { checkForm, formField, knownBrowser, signIn, visitor } from "./cookies.ts";
import { HOME, goOn, doneNote, noteOf } from "./member.ts";
import { againText, goTo, inputField, notice, ownPath, sendCard } from "./parts.ts";
import { passkeyUse } from "./passkey-use.ts";
import { goToSecondStep } from "./second-step.ts";
import { sendStanding } from "./standing.ts";

/** Longer texts are never valid passwords and would only cost time. */
const PASSWORD_LIMIT = 200;

const DONE = {
  password: "Your password has been changed. Sign in with your new password.",
  signed_out: "You have signed out.",
  deleted: "Your account has been deleted.",
};

type Shown = { login?: string; returnTo: string | null; fault?: string; status?: number };

const signInForm = async (app: App, request: FastifyRequest, reply: FastifyReply, shown: Shown) => {
  const open = (await registrationMode(app)) !== "closed";
  const passkey = passkeyUse(app, request, reply, { returnTo: shown.returnTo });
  return sendCard(app, reply, {
    title: "Sign in",
    status: shown.status ?? 200,
    script: passkey.script,
    body: html`${shown.fault ? notice(shown.fault, "bad") : noteOf(doneNote(request, DONE))}
      <form method="post" action="/auth/sign_in">
        ${formField(app, request, reply)}
        ${shown.returnTo && html`<input type="hidden" name="return_to" value="${shown.returnTo}" />`}
        ${inputField({
          name: "login",
          label: "Email address or username",
          value: shown.login ?? "",
          autocomplete: "username",
          autofocus: true,
        })}
        ${inputField({
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "current-password",
        })}
        <button class="button">Sign in</button>
      </form>
      ${passkey.body}`,
    below: html`${open && html`<a href="/auth/sign_up">Create an account</a> · `}<a
        href="/auth/password/new"
        >Forgot your password?</a
      >
      · <a href="/auth/confirmation/new">No confirmation email?</a>`,
  });
};

const showSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const query = readTexts(request.query);
  const returnTo = ownPath(app, query["return_to"]);
  const who = query["force"] ? null : await visitor(app, request);
  if (who && mayUsePages(who)) return goTo(reply, returnTo ?? HOME);
  return signInForm(app, request, reply, { returnTo });
};

/** The same words whether or not there is such an account. */
const limitWords = (error: OverLimit): string =>
  error.limit.by === "address"
    ? `Too many attempts from your network. ${againText(error)}, or use a passkey.`
    : `Too many attempts to sign in to this account. ${againText(error)}, use a passkey, or use a browser you’ve signed in with before.`;

const takeSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const { login = "", password = "", return_to } = readTexts(request.body);
  const returnTo = ownPath(app, return_to);
  const given: Login = {
    login: login.slice(0, 320),
    password,
    ip: request.ip,
    knownBrowser: (who) => knownBrowser(app, request, who),
  };
  const show = (fault: string, status: number) =>
    signInForm(app, request, reply, { login, returnTo, fault, status });
  let who: SignedIn | null;
  try {
    who = password.length > PASSWORD_LIMIT ? null : await checkLogin(app, given);
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    reply.headers(headersOf(error));
    return show(limitWords(error), 429);
  }
  if (!who) return show("Incorrect email address, username or password.", 422);
  if (!mayAppeal(who)) return sendStanding(app, request, reply, who);
  if (who.twoFactor) return goToSecondStep(app, reply, who, returnTo);
  await signIn(app, request, reply, who);
  return goOn(app, request, reply, { who, returnTo });
};

export const signInPages = (server: Server, app: App): void => {
  server.get("/auth/sign_in", (request, reply) => showSignIn(app, request, reply));
  server.post("/auth/sign_in", (request, reply) => takeSignIn(app, request, reply));
};
