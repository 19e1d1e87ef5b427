// The pages to sign in and out, and the one that says who is signed in.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { checkLogin } from "../../accounts/sign-in.ts";
import { registrationMode } from "../../accounts/sign-up.ts";
import { readTexts } from "../parameters.ts";
import { checkForm, formField, signIn, signOut, visitor } from "./cookies.ts";
import { goTo, inputField, notice, ownPath, sendCard } from "./parts.ts";
import { sendStanding } from "./standing.ts";

const HOME = "/auth/account";
/** Longer ones are no passwords of ours, and would only cost time. */
const PASSWORD_LIMIT = 200;

type Shown = { login?: string; returnTo: string | null; fault?: string; status?: number };

const signInForm = async (app: App, request: FastifyRequest, reply: FastifyReply, shown: Shown) => {
  const open = (await registrationMode(app)) !== "closed";
  return sendCard(app, reply, {
    title: "Sign in",
    status: shown.status ?? 200,
    body: html`${shown.fault && notice(shown.fault, "bad")}
      <form method="post" action="/auth/sign_in">
        ${formField(app, request, reply)}
        ${shown.returnTo && html`<input type="hidden" name="return_to" value="${shown.returnTo}" />`}
        ${inputField({
          name: "login",
          label: "E-mail address or username",
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
      </form>`,
    below: html`${open && html`<a href="/auth/sign_up">Create an account</a> · `}<a
        href="/auth/confirmation/new"
        >No confirmation mail?</a
      >`,
  });
};

const showSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const query = readTexts(request.query);
  const returnTo = ownPath(app, query["return_to"]);
  const who = query["force"] ? null : await visitor(app, request);
  if (who?.standing === "active") return goTo(reply, returnTo ?? HOME);
  return signInForm(app, request, reply, { returnTo });
};

const takeSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const { login = "", password = "", return_to } = readTexts(request.body);
  const returnTo = ownPath(app, return_to);
  const given = { login: login.slice(0, 320), password, ip: request.ip };
  const who = password.length > PASSWORD_LIMIT ? null : await checkLogin(app, given);
  if (!who) {
    const fault = "The e-mail address, the username or the password is wrong.";
    return signInForm(app, request, reply, { login, returnTo, fault, status: 422 });
  }
  if (who.standing !== "active") return sendStanding(app, request, reply, who);
  await signIn(app, request, reply, who.userId);
  return goTo(reply, returnTo ?? HOME);
};

const showAccount = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const who = await visitor(app, request);
  if (!who) return goTo(reply, "/auth/sign_in");
  const { localDomain } = app.config.site;
  return sendCard(app, reply, {
    title: "You are signed in",
    body: html`<p>
        As <a href="/@${who.username}"><strong>@${who.username}</strong></a> on ${localDomain}.
      </p>
      <p>
        To read and write, use any Mastodon app, on the web, the telephone or the desk. When it asks
        for your server, enter this address:
      </p>
      <p><code class="secret">${localDomain}</code></p>
      <form method="post" action="/auth/sign_out">
        ${formField(app, request, reply)}
        <button class="button plain">Sign out</button>
      </form>`,
  });
};

const takeSignOut = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await signOut(app, request, reply);
  return goTo(reply, "/auth/sign_in");
};

export const signInPages = (server: Server, app: App): void => {
  server.get("/auth/sign_in", (request, reply) => showSignIn(app, request, reply));
  server.post("/auth/sign_in", (request, reply) => takeSignIn(app, request, reply));
  server.get("/auth/account", (request, reply) => showAccount(app, request, reply));
  server.post("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  server.delete("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
};
