// Serves the page behind the one-time link of a new server, which creates the owner.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeOwner, mayMakeOwner } from "../owner-setup.ts";
import { findPerson } from "../sign-in.ts";
import { checkForm, formField, signIn } from "./cookies.ts";
import { faultsOf, goTo, sendCard } from "./components.ts";
import type { Faults } from "./components.ts";
import { personFields } from "./person-fields.ts";
import { textsOf } from "./texts.ts";

type Texts = Partial<Record<string, string>>;
type Shown = { token: string; values: Texts; faults: Faults; status?: number };

const sendRefused = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  const body = html`<p>${t("setup.refused")}</p>`;
  return sendCard(app, reply, { title: t("link.broken"), status: 403, body });
};

const sendForm = (app: App, request: FastifyRequest, reply: FastifyReply, shown: Shown) => {
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("setup.title"),
    status: shown.status ?? 200,
    body: html`<p>${t("setup.text")}</p>
      <form method="post" action="/setup">
        ${formField(app, request, reply)}
        <input type="hidden" name="token" value="${shown.token}" />
        ${personFields(app, t, shown.values, shown.faults)}
        <button class="button">${t("setup.create")}</button>
      </form>`,
  });
};

const takeForm = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const values = readTexts(request.body);
  const { token = "", username = "", email = "", password = "" } = values;
  if (!(await mayMakeOwner(app, token))) return sendRefused(app, reply);
  try {
    const form = { token, username, email: email.trim(), password };
    const { userId } = await makeOwner(app, form);
    const owner = await findPerson(app, userId);
    if (owner) await signIn(app, request, reply, owner);
  } catch (error) {
    const faults = faultsOf(textsOf(request).t, error);
    if (!faults) throw error;
    return sendForm(app, request, reply, { token, values, faults, status: 422 });
  }
  return goTo(reply, "/admin/first_steps");
};

/** Serves the first page of a server without an owner, which says that the link is in the server's output. */
export const sendAwaitsOwner = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  const places = {
    docker: html`<code>docker logs rookery</code>`,
    systemd: html`<code>journalctl -u rookery</code>`,
  };
  return sendCard(app, reply, {
    title: t("setup.title"),
    body: html`<p>${t("setup.awaits")}</p>
      <p>${sentence(t, "setup.where", places)}</p>
      <p>${t("setup.again")}</p>`,
  });
};

export const setupPages = (server: Server, app: App): void => {
  server.get("/setup", async (request, reply) => {
    const token = readTexts(request.query)["token"] ?? "";
    if (!(await mayMakeOwner(app, token))) return sendRefused(app, reply);
    return sendForm(app, request, reply, { token, values: {}, faults: {} });
  });
  server.post("/setup", (request, reply) => takeForm(app, request, reply));
};
