// Draws the accounts that a browser keeps signed in, as buttons that switch to them.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { html } from "../../../../platform/text/html.ts";
import type { HtmlValue } from "../../../../platform/text/html.ts";
import { mayUsePages } from "../sign-in.ts";
import { formField, otherAccounts } from "./cookies.ts";
import { textsOf } from "./texts.ts";

/** Draws accounts that this browser keeps signed in, which need no password again. */
export const heldAccounts = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string | null,
): Promise<HtmlValue> => {
  const { t } = textsOf(request);
  const sessions = (await otherAccounts(app, request)).filter(({ who }) => mayUsePages(who));
  const forms = sessions.map(
    ({ who }) =>
      html`<form method="post" action="/auth/accounts/${who.accountId}/switch">
        ${formField(app, request, reply)}
        ${returnTo && html`<input type="hidden" name="return_to" value="${returnTo}" />`}
        <button class="button plain">${t("sign_in.continue", { name: `@${who.username}` })}</button>
      </form>`,
  );
  return (
    sessions.length > 0 &&
    html`<p class="or">${t("sign_in.or")}</p>
      <div class="actions">${forms}</div>`
  );
};
