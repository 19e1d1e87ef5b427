// /authorize_interaction?uri=: where other servers send people who want to follow, reply, boost or
// favourite from here (the subscribe template of WebFinger, https://www.w3.org/community/ostatus/). And /share.

import cookie from "@fastify/cookie";
import type { FastifyReply } from "fastify";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { countAttempt } from "../../platform/http/rate-limit.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import { readTexts } from "../../domain/oauth/parameters.ts";
import { askedAsMember, asMember, doneNote } from "../../domain/people/pages/member.ts";
import { goTo, inputField } from "../../domain/people/pages/parts.ts";
import { sendError } from "../../domain/people/pages/plugin.ts";
import { sendAccount } from "./account.ts";
import { ACCOUNT_ACTS, STATUS_ACTS } from "./acts.ts";
import { postEntered } from "./compose.ts";
import { findTarget, targetAccount, targetStatus } from "./find.ts";
import { PATH, pathOf, sendInteraction } from "./frame.ts";
import type { Visit } from "./frame.ts";
import { SHARE, showShare, takeShare } from "./share.ts";
import { sendStatus } from "./status.ts";

const LOOKUPS: Limit = { name: "interaction:lookup", by: "person", count: 60, seconds: 300 };
const ACTS: Limit = { name: "interaction:act", by: "person", count: 100, seconds: 900 };
const DONE = { replied: "Your reply has been posted." };

/** Asks for an address; `isUnknown`: after one that led nowhere. */
const sendSearch = (visit: Visit, isUnknown: boolean): Promise<FastifyReply> =>
  sendInteraction(visit, {
    title: "Find an account or post",
    status: isUnknown ? 404 : 200,
    body: html`<section class="card">
      <h1>${isUnknown ? "Account or post not found" : "Find an account or post"}</h1>
      ${
        isUnknown &&
        html`<p>
          It may have been deleted, may not be public, or its server may not be responding. Check
          the address and try again.
        </p>`
      }
      <form method="get" action="${PATH}">
        ${inputField({
          name: "uri",
          label: "Address or handle",
          value: visit.uri,
          hint: "For example https://social.example/@name or @name@social.example",
        })}
        <button class="button">Find</button>
      </form>
    </section>`,
  });

const show = async (visit: Visit): Promise<FastifyReply> => {
  const { app, request, who, uri } = visit;
  if (uri === "") return sendSearch(visit, false);
  await countAttempt(app, LOOKUPS, who.userId);
  const target = await findTarget(app, uri, who.accountId);
  if (!target) return sendSearch(visit, true);
  if (target.kind === "account") return sendAccount(visit, target.view);
  return sendStatus(visit, target.view, { done: doneNote(request, DONE)?.text });
};

type Form = { act: string; id: string };

const formOf = ({ request }: Visit): Form & Partial<Record<string, string>> => {
  const form = readTexts(request.body);
  const id = parseId(form["id"]);
  if (id === null) throw new NotFound();
  return { ...form, act: form["act"] ?? "", id };
};

const actOn = <T>(acts: Record<string, T>, name: string): T => {
  if (!Object.hasOwn(acts, name)) throw new NotFound();
  return acts[name]!;
};

const takeAccountForm = async (visit: Visit): Promise<FastifyReply> => {
  const { app, reply, who, uri } = visit;
  const { act, id } = formOf(visit);
  const view = await targetAccount(app, id);
  await actOn(ACCOUNT_ACTS, act)(app, who.accountId, view.id);
  return goTo(reply, pathOf(uri));
};

const takeReply = async (visit: Visit, form: Form & Partial<Record<string, string>>) => {
  const { app, reply, who, uri } = visit;
  const view = await targetStatus(app, form.id, who.accountId);
  const reach = { widest: view.visibility, parentId: view.id };
  const posted = await postEntered(app, who.accountId, form, reach);
  if (typeof posted !== "string") return sendStatus(visit, view, { reply: posted });
  return goTo(reply, pathOf(uri, { done: "replied" }));
};

const takeStatusForm = async (visit: Visit): Promise<FastifyReply> => {
  const { app, reply, who, uri } = visit;
  const form = formOf(visit);
  if (form.act === "reply") return takeReply(visit, form);
  const run = actOn(STATUS_ACTS, form.act);
  await run(app, who.accountId, await targetStatus(app, form.id, who.accountId));
  return goTo(reply, pathOf(uri));
};

export const interactionRoutes = (server: Server, app: App): void => {
  server.register(async (pages: Server) => {
    await pages.register(cookie);
    pages.setErrorHandler(sendError(app));
    pages.addHook("onRequest", async (_request, reply) => {
      // The redirect to the sign-in page, too.
      reply.header("x-robots-tag", "noindex, nofollow");
    });

    pages.get(
      PATH,
      asMember(app, (request, reply, who) => {
        const uri = readTexts(request.query)["uri"] ?? "";
        return show({ app, request, reply, who, uri });
      }),
    );
    const takeForm = (path: string, take: (visit: Visit) => Promise<FastifyReply>) =>
      pages.post(
        path,
        asMember(app, async (request, reply, who) => {
          await countAttempt(app, ACTS, who.userId);
          const uri = readTexts(request.body)["uri"] ?? "";
          return take({ app, request, reply, who, uri });
        }),
      );
    takeForm(`${PATH}/account`, takeAccountForm);
    takeForm(`${PATH}/status`, takeStatusForm);

    const member = askedAsMember(app);
    pages.get(SHARE, member(showShare));
    pages.post(
      SHARE,
      member(async (asked) => {
        await countAttempt(app, ACTS, asked.who.userId);
        return takeShare(asked);
      }),
    );
  });
};
