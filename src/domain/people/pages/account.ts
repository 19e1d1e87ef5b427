// The account page of somebody signed in: who they are, how to connect apps, links to the settings.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { getAccount } from "../../accounts/load.ts";
import { isStaff } from "../../roles/permissions.ts";
import type { SignedIn } from "../sign-in.ts";
import { formField, signOut, checkForm } from "./cookies.ts";
import { HOME, asMember, doneNote, noteOf } from "./member.ts";
import { goTo, sendCard } from "./parts.ts";

const LINKS: [path: string, title: string, text: string][] = [
  ["/settings/email", "Email address", "Where we send email about your account"],
  ["/settings/mail", "Email notifications", "What we send you an email about"],
  ["/settings/password", "Password", "Change your password"],
  [
    "/settings/two_factor",
    "Two-factor authentication",
    "Require a code from an authenticator app when you sign in",
  ],
  ["/settings/passkeys", "Passkeys", "Sign in with your fingerprint, face or PIN"],
  ["/settings/sessions", "Sessions", "Browsers that are signed in to your account"],
  ["/settings/apps", "Authorized apps", "Apps with access to your account"],
  ["/settings/export", "Export", "Download what you follow, block, list and bookmark"],
  ["/settings/import", "Import", "Bring your lists from another account"],
  ["/settings/cleanup", "Automatic deletion", "Let your old posts be deleted"],
  ["/settings/invites", "Invitations", "Invite people to this server"],
  ["/settings/aliases", "Account aliases", "Allow an old account to move to this one"],
  ["/settings/migration", "Move to another account", "Move your followers to a new account"],
  [
    "/settings/severed_relationships",
    "Severed relationships",
    "Follows that ended because of a block",
  ],
  ["/disputes/strikes", "Moderation", "Decisions about your account, and appeals"],
  ["/settings/delete", "Delete account", "Permanently delete your account and your posts"],
];

const STAFF = [
  "/admin",
  "Administration",
  "Reports, accounts and settings of this server",
] as const;

const links = (staff: boolean) =>
  html`<ul class="rows">
    ${[...(staff ? [STAFF] : []), ...LINKS].map(
      ([path, title, text]) =>
        html`<li>
          <a class="to" href="${path}"><strong>${title}</strong><span>${text}</span></a>
        </li>`,
    )}
  </ul>`;

const DONE = {
  confirmed: "Your email address is confirmed, and you are signed in. Welcome!",
  password: "Your password has been changed.",
};

const showAccount = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
) => {
  const { localDomain } = app.config.site;
  const { role } = await getAccount(app, who.accountId);
  return sendCard(app, reply, {
    title: "Your account",
    body: html`${noteOf(doneNote(request, DONE))}
      <p>
        You are signed in to ${localDomain} as
        <a href="/@${who.username}"><strong>@${who.username}</strong></a
        >.
      </p>
      <p>
        To read and post, use any Mastodon app for the web, your phone or your computer. When it
        asks for your server, enter this address:
      </p>
      <p><code class="secret">${localDomain}</code></p>
      <h2>Settings</h2>
      ${links(isStaff(role?.permissions ?? 0))}
      <form method="post" action="/auth/sign_out">
        ${formField(app, request, reply)}
        <button class="button plain">Sign out</button>
      </form>`,
  });
};

const takeSignOut = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await signOut(app, request, reply);
  return goTo(reply, "/auth/sign_in?done=signed_out");
};

/** Well-known addresses of these pages. */
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
