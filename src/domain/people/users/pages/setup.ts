// Serves the page behind the one-time link of a new server, which creates the owner.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeOwner, mayMakeOwner } from "../owner-setup.ts";
import { findPerson, mayUsePages } from "../sign-in.ts";
import { checkForm, signIn } from "./cookies.ts";
import { personFields, formOf } from "./fields.ts";
import { asAnybody, goTo, refusable, sendCard } from "./components.ts";
import { checkEntered } from "./sign-in.ts";
import type { CardContext } from "./components.ts";

const sendRefused = (context: CardContext) =>
  sendCard(context, {
    title: "link.broken",
    status: 403,
    parts: [{ text: { say: "setup.refused" } }, { below: [["/auth/sign_in", "sign_in.title"]] }],
  });

const tokenIn = ({ body, query }: FastifyRequest): string =>
  readTexts(body ?? query)["token"] ?? "";

const showForm = async (context: CardContext) => {
  const { app, request } = context;
  const token = tokenIn(request);
  if (!(await mayMakeOwner(app, token))) return sendRefused(context);
  return sendCard(context, {
    title: "setup.title",
    parts: [
      { text: { say: "setup.text" } },
      formOf("/setup", "setup.create", personFields(app.config.site.localDomain), {
        hidden: { token },
      }),
    ],
  });
};

const takeForm = async (context: CardContext) => {
  const { app, request, reply } = context;
  checkForm(app, request);
  const token = tokenIn(request);
  const { username = "", email = "", password = "" } = readTexts(request.body);
  const created = await makeOwner(app, { token, username, email: email.trim(), password });
  // Who sends the form twice makes the owner by the first, and has the right password by the second.
  const owner = created
    ? await findPerson(app, created.userId)
    : await checkEntered(context, username, password);
  if (!owner || owner.twoFactor || !mayUsePages(owner)) return sendRefused(context);
  await signIn(context, owner);
  return goTo(reply, "/admin/first_steps");
};

/** Where the server's output is read. */
const LOGS = {
  docker: { code: "docker logs rookery" },
  systemd: { code: "journalctl -u rookery" },
};

/** Serves the first page of a server without an owner, which says that the link is in the server's output. */
export const sendAwaitsOwner = (context: CardContext) =>
  sendCard(context, {
    title: "setup.title",
    parts: [
      { text: { say: "setup.awaits" } },
      { text: { say: "setup.where", with: LOGS } },
      { text: { say: "setup.again" } },
    ],
  });

export const setupPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get("/setup", page(showForm));
  server.post("/setup", page(refusable(takeForm, showForm)));
};
