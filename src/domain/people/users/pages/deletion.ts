// Serves the page on which a person deletes their account.

import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { removeAccountIn } from "../../accounts/remove.ts";
import { selectIsOnlyOwner } from "../queries.ts";
import { noticeOf } from "../security-notices.ts";
import type { SignedIn } from "../sign-in.ts";
import { formField, leave } from "./cookies.ts";
import { HOME, askedAsMember, hasPassword, passwordField, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, notice, usernameHint } from "./components.ts";

const PATH = "/settings/delete";

/** The person is signed out everywhere at once and gets a last email; a job deletes the rest. */
const deleteOwnAccount = (app: App, who: SignedIn): Promise<void> =>
  app.sql.begin(async (tx) => {
    await noticeOf(app, tx, who.userId, "account-deleted");
    await removeAccountIn(app, tx, who.accountId);
  });

const sendForm = async ({ app, request, reply, who, t }: PageContext, fault?: string) => {
  const isOnlyOwner = await selectIsOnlyOwner(app.sql, who.userId);
  const account = html`<strong>@${who.username}@${app.config.site.localDomain}</strong>`;
  return sendSettings(reply, {
    title: t("deletion.title"),
    status: fault ? 422 : 200,
    body: html`<p>${sentence(t, "deletion.about", { account })}</p>
      <ul>
        <li>${t("deletion.signed_out")}</li>
        <li>${t("deletion.name", { name: who.username })}</li>
        <li>${t("deletion.copies")}</li>
      </ul>
      ${isOnlyOwner && notice(t("deletion.owner"), "bad")}
      <form method="post" action="${PATH}">
        ${formField(app, request, reply)} ${usernameHint(who.username)} ${passwordField(t, fault)}
        <button class="button bad">${t("deletion.delete")}</button>
      </form>`,
  });
};

const takeForm = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  if (!(await hasPassword(app, request, who))) return sendForm(context, t("field.password_wrong"));
  await deleteOwnAccount(app, who);
  // The account's sessions have ended with it; other accounts of the browser stay signed in.
  const goesOn = await leave(app, request, reply, who.accountId);
  return goTo(reply, goesOn ? HOME : "/auth/sign_in?done=deleted");
};

export const deletionPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page((context) => sendForm(context)),
  );
  server.post(PATH, page(takeForm));
};
