// What people read who have signed in, but may not act: unconfirmed, unapproved, disabled.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Standing } from "../../../platform/http/auth.ts";
import { html } from "../../../platform/text/html.ts";
import type { SignedIn } from "../../accounts/sign-in.ts";
import { formField } from "./cookies.ts";
import { sendCard } from "./parts.ts";

type Barred = Exclude<Standing, "active">;

const WORDS: Record<Barred, { title: string; text: string }> = {
  unconfirmed: {
    title: "Confirm your e-mail address",
    text: "We have sent you a mail. Open the link in it to confirm the address, then sign in again.",
  },
  unapproved: {
    title: "Waiting for approval",
    text: "The people who run this server look at every new account. You can sign in once they have approved yours.",
  },
  disabled: {
    title: "Account disabled",
    text: "The people who run this server have disabled the sign-in to this account.",
  },
  suspended: {
    title: "Account suspended",
    text: "The people who run this server have suspended this account.",
  },
  moved: {
    title: "Account moved",
    text: "This account has moved elsewhere, so apps cannot use it any more.",
  },
};

const resendForm = (app: App, request: FastifyRequest, reply: FastifyReply, email: string) =>
  html`<form method="post" action="/auth/confirmation">
    ${formField(app, request, reply)}
    <input type="hidden" name="email" value="${email}" />
    <button class="button plain">Send the mail again</button>
  </form>`;

/** Tells somebody why they cannot go on; 403. */
export const sendStanding = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
): FastifyReply => {
  const standing = who.standing as Barred;
  const { title, text } = WORDS[standing];
  const resend = standing === "unconfirmed" && resendForm(app, request, reply, who.email);
  return sendCard(app, reply, {
    title,
    status: 403,
    body: html`<p>${text}</p>
      ${resend}`,
  });
};
