// The first page of somebody signed in: who they are, how apps come in, where what is changed.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import type { SignedIn } from "../sign-in.ts";
import { formField, signOut, checkForm } from "./cookies.ts";
import { HOME, asMember, doneNote, noteOf } from "./member.ts";
import { goTo, sendCard } from "./parts.ts";

const LINKS: [path: string, title: string, text: string][] = [
  ["/settings/email", "E-mail address", "Where mails about your account go"],
  ["/settings/password", "Password", "Change it"],
  ["/settings/two_factor", "Codes at sign-in", "An authenticator app beside the password"],
  ["/settings/passkeys", "Passkeys", "Sign in by finger, face or PIN"],
  ["/settings/sessions", "Browsers", "Where you are signed in on these pages"],
  ["/settings/apps", "Apps", "What may read and write for you"],
];

const links = html`<ul class="rows">
  ${LINKS.map(
    ([path, title, text]) =>
      html`<li>
        <a class="to" href="${path}"><strong>${title}</strong><span>${text}</span></a>
      </li>`,
  )}
</ul>`;

const DONE = { password: "Your password was changed." };

const showAccount = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
) => {
  const { localDomain } = app.config.site;
  return sendCard(app, reply, {
    title: "You are signed in",
    body: html`${noteOf(doneNote(request, DONE))}
      <p>
        As <a href="/@${who.username}"><strong>@${who.username}</strong></a> on ${localDomain}.
      </p>
      <p>
        To read and write, use any Mastodon app, on the web, the telephone or the desk. When it asks
        for your server, enter this address:
      </p>
      <p><code class="secret">${localDomain}</code></p>
      <h2>Your account</h2>
      ${links}
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

/** Addresses that other servers' people and programs know for these pages. */
const KNOWN_AS: Record<string, string> = {
  // https://w3c.github.io/webappsec-change-password-url/
  "/.well-known/change-password": "/settings/password",
  "/auth/edit": HOME,
  "/oauth/authorized_applications": "/settings/apps",
};

export const accountPages = (server: Server, app: App): void => {
  server.get(
    HOME,
    asMember(app, (request, reply, who) => showAccount(app, request, reply, who)),
  );
  server.post("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  server.delete("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  for (const [path, target] of Object.entries(KNOWN_AS)) {
    server.get(path, async (_request, reply) => goTo(reply, target));
  }
};
