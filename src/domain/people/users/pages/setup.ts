// Serves the page behind the one-time link of a new server, which creates the owner.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeOwner, mayMakeOwner } from "../owner-setup.ts";
import { findPerson } from "../sign-in.ts";
import { checkForm, signIn } from "./cookies.ts";
import { personFields } from "./fields.ts";
import { faultsOf, goTo, sendCard } from "./components.ts";
import type { Faults } from "./components.ts";
import { textsOf } from "./texts.ts";

const sendRefused = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("link.broken"),
    status: 403,
    parts: [{ text: { say: "setup.refused" } }],
  });

const sendForm = (app: App, reply: FastifyReply, token: string, faults: Faults = {}) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("setup.title"),
    faults,
    parts: [
      { text: { say: "setup.text" } },
      {
        form: {
          action: "/setup",
          hidden: { token },
          fields: personFields(app.config.site.localDomain),
          submit: "setup.create",
        },
      },
    ],
  });

const takeForm = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const { token = "", username = "", email = "", password = "" } = readTexts(request.body);
  if (!(await mayMakeOwner(app, token))) return sendRefused(app, reply);
  try {
    const form = { token, username, email: email.trim(), password };
    const { userId } = await makeOwner(app, form);
    const owner = await findPerson(app, userId);
    if (owner) await signIn(app, request, reply, owner);
  } catch (error) {
    const faults = faultsOf(textsOf(request).t, error);
    if (!faults) throw error;
    return sendForm(app, reply, token, faults);
  }
  return goTo(reply, "/admin/first_steps");
};

/** Where the server's output is read. */
const LOGS = {
  docker: { code: "docker logs rookery" },
  systemd: { code: "journalctl -u rookery" },
};

/** Serves the first page of a server without an owner, which says that the link is in the server's output. */
export const sendAwaitsOwner = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("setup.title"),
    parts: [
      { text: { say: "setup.awaits" } },
      { text: { say: "setup.where", with: LOGS } },
      { text: { say: "setup.again" } },
    ],
  });

export const setupPages = (server: Server, app: App): void => {
  server.get("/setup", async (request, reply) => {
    const token = readTexts(request.query)["token"] ?? "";
    if (!(await mayMakeOwner(app, token))) return sendRefused(app, reply);
    return sendForm(app, reply, token);
  });
  server.post("/setup", (request, reply) => takeForm(app, request, reply));
};
