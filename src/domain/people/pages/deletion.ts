// The page on which a person deletes their account.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { removeAccountIn } from "../../accounts/remove.ts";
import { selectIsOnlyOwner } from "../queries.ts";
import { noticeOf } from "../security-notices.ts";
import type { SignedIn } from "../sign-in.ts";
import { formField, signOut } from "./cookies.ts";
import { PASSWORD_WRONG, asMember, hasPassword, passwordField, sendSettings } from "./member.ts";
import { goTo, notice, usernameHint } from "./parts.ts";

const PATH = "/settings/delete";

const OWNER_WARNING =
  "You are the only owner of this server. Nobody will be able to manage it until it is restarted and a new owner account is created.";

/** The person is signed out everywhere at once and gets a last email; a job deletes the rest. */
const deleteOwnAccount = (app: App, who: SignedIn): Promise<void> =>
  app.sql.begin(async (tx) => {
    await noticeOf(app, tx, who.userId, "account-deleted");
    await removeAccountIn(app, tx, who.accountId);
  });

const sendForm = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
  fault?: string,
) => {
  const isOnlyOwner = await selectIsOnlyOwner(app.sql, who.userId);
  return sendSettings(reply, {
    title: "Delete account",
    status: fault ? 422 : 200,
    body: html`<p>
        This permanently deletes your account
        <strong>@${who.username}@${app.config.site.localDomain}</strong> with your profile, posts,
        follows, followers, lists and settings. It cannot be undone.
      </p>
      <ul>
        <li>All your apps and browsers are signed out.</li>
        <li>Nobody can use the username @${who.username} on this server again, including you.</li>
        <li>
          Servers that know your account are asked to delete their copies. Most do, but this server
          cannot make them.
        </li>
      </ul>
      ${isOnlyOwner && notice(OWNER_WARNING, "bad")}
      <form method="post" action="${PATH}">
        ${formField(app, request, reply)} ${usernameHint(who.username)} ${passwordField(fault)}
        <button class="button bad">Delete my account</button>
      </form>`,
  });
};

const takeForm = async (app: App, request: FastifyRequest, reply: FastifyReply, who: SignedIn) => {
  if (!(await hasPassword(app, request, who))) {
    return sendForm(app, request, reply, who, PASSWORD_WRONG);
  }
  await deleteOwnAccount(app, who);
  await signOut(app, request, reply);
  return goTo(reply, "/auth/sign_in?done=deleted");
};

export const deletionPages = (server: Server, app: App): void => {
  server.get(
    PATH,
    asMember(app, (request, reply, who) => sendForm(app, request, reply, who)),
  );
  server.post(
    PATH,
    asMember(app, (request, reply, who) => takeForm(app, request, reply, who)),
  );
};
