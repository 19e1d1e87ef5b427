// The pages to sign up, to confirm the address by the link of the mail, and to have it sent again.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { getSetting } from "../../settings/settings.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { confirmEmail, resendByEmail } from "../confirm.ts";
import type { Confirmation } from "../confirm.ts";
import { registrationMode, signUp } from "../sign-up.ts";
import type { RegistrationMode } from "../sign-up.ts";
import { checkForm, formField } from "./cookies.ts";
import { faultsOf, goTo, inputField, notice, sendCard } from "./parts.ts";
import type { Faults } from "./parts.ts";
import { personFields } from "./person-fields.ts";

const RESENDS_PER_ADDRESS = { name: "resend:ip", count: 25, seconds: 300 };
const RESENDS_PER_EMAIL = { name: "resend:email", count: 5, seconds: 1800 };

type Texts = Partial<Record<string, string>>;
type Shown = { values: Texts; faults: Faults; status?: number };

const reasonField = ({ values, faults }: Shown) =>
  inputField({
    name: "reason",
    label: "Why do you want to join?",
    type: "textarea",
    value: values["reason"] ?? "",
    fault: faults["reason"],
    maxlength: 420,
    hint: "The people who run this server read it and approve new accounts by hand.",
  });

const agreement = (fault: string | undefined) =>
  html`<div class="field">
    <div class="check">
      <input type="checkbox" id="agreement" name="agreement" value="1" required />
      <label for="agreement">I agree to keep to the rules of this server</label>
    </div>
    ${fault && html`<p class="fault">${fault}</p>`}
  </div>`;

const signUpForm = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  mode: RegistrationMode,
  shown: Shown,
) =>
  sendCard(app, reply, {
    title: "Create an account",
    status: shown.status ?? 200,
    body: html`<form method="post" action="/auth/sign_up">
      ${formField(app, request, reply)} ${personFields(app, shown.values, shown.faults)}
      ${mode === "approved" && reasonField(shown)} ${agreement(shown.faults["agreement"])}
      <button class="button">${mode === "approved" ? "Ask for an account" : "Sign up"}</button>
    </form>`,
    below: html`Have an account? <a href="/auth/sign_in">Sign in</a>`,
  });

const sendClosed = async (app: App, reply: FastifyReply) => {
  const message = await getSetting(app, "registrations_message", "");
  return sendCard(app, reply, {
    title: "Sign-ups are closed",
    status: 403,
    body: html`<p>${message || "New accounts are not taken here at the moment."}</p>`,
    below: html`Have an account? <a href="/auth/sign_in">Sign in</a>`,
  });
};

const takeSignUp = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const mode = await registrationMode(app);
  if (mode === "closed") return sendClosed(app, reply);
  const values = readTexts(request.body);
  const given = {
    username: values["username"] ?? "",
    email: (values["email"] ?? "").trim(),
    password: values["password"] ?? "",
    agreement: values["agreement"] === "1",
    reason: values["reason"] ?? "",
    locale: null,
    timeZone: null,
    ip: request.ip,
    appId: null,
  };
  try {
    await signUp(app, given, async () => undefined);
  } catch (error) {
    const faults = faultsOf(error);
    if (!faults) throw error;
    return signUpForm(app, request, reply, mode, { values, faults, status: 422 });
  }
  return goTo(reply, "/auth/confirmation/sent");
};

const OUTCOMES: Record<Confirmation, { title: string; text: string; status: number }> = {
  confirmed: { title: "Address confirmed", text: "You can sign in now.", status: 200 },
  unapproved: {
    title: "Address confirmed",
    text: "The people who run this server look at every new account. You can sign in once they have approved yours.",
    status: 200,
  },
  invalid: {
    title: "This link does not work",
    text: "It is too old, or not complete. Ask for a new mail below.",
    status: 404,
  },
};

const showConfirmation = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const token = readTexts(request.query)["confirmation_token"] ?? "";
  const outcome = await confirmEmail(app, token);
  const { title, text, status } = OUTCOMES[outcome];
  const next =
    outcome === "invalid"
      ? html`<a class="button" href="/auth/confirmation/new">Send a new mail</a>`
      : html`<a class="button" href="/auth/sign_in">Sign in</a>`;
  return sendCard(app, reply, {
    title,
    status,
    body: html`<p>${text}</p>
      <p>${next}</p>`,
  });
};

const showResend = (app: App, request: FastifyRequest, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: "Send the confirmation again",
    body: html`<form method="post" action="/auth/confirmation">
      ${formField(app, request, reply)}
      ${inputField({
        name: "email",
        label: "E-mail address",
        type: "email",
        autocomplete: "email",
        hint: "The one that you signed up with.",
      })}
      <button class="button">Send</button>
    </form>`,
    below: html`<a href="/auth/sign_in">Back to sign-in</a>`,
  });

const takeResend = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  await countAttempt(app, RESENDS_PER_ADDRESS, addressKey(request.ip));
  await countAttempt(app, RESENDS_PER_EMAIL, email.toLowerCase());
  await resendByEmail(app, email);
  return goTo(reply, "/auth/confirmation/sent");
};

const showSent = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: "Look into your mail",
    body: html`${notice("If the address awaits confirmation, a mail with a link is on its way.", "good")}
      <p>Open the link to confirm that the address is yours; then you can sign in.</p>
      <p class="soft small">
        Nothing there after some minutes? Look into the folder for unwanted mail, or have it sent
        again.
      </p>`,
    below: html`<a href="/auth/confirmation/new">Send again</a> ·
      <a href="/auth/sign_in">Sign in</a>`,
  });

export const signUpPages = (server: Server, app: App): void => {
  server.get("/auth/sign_up", async (request, reply) => {
    const mode = await registrationMode(app);
    if (mode === "closed") return sendClosed(app, reply);
    return signUpForm(app, request, reply, mode, { values: {}, faults: {} });
  });
  server.post("/auth/sign_up", (request, reply) => takeSignUp(app, request, reply));
  server.get("/auth/confirmation", (request, reply) => showConfirmation(app, request, reply));
  server.get("/auth/confirmation/new", (request, reply) => showResend(app, request, reply));
  server.get("/auth/confirmation/sent", (_request, reply) => showSent(app, reply));
  server.post("/auth/confirmation", (request, reply) => takeResend(app, request, reply));
};
