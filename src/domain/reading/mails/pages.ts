// Serves two pages: which mails a person gets, and the end of mails of one kind without sign-in.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { says } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { view } from "../../people/users/pages/framed.ts";
import { askedAsMember, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo, sendCard } from "../../people/users/pages/components.ts";
import { textsOf } from "../../people/users/pages/texts.ts";
import { chooseMails } from "./choose.ts";
import { letterPages } from "./letter-page.ts";
import { ALWAYS, KINDS, MAIL_KINDS, wantsMail } from "./kinds.ts";
import { selectAddressee, updateMails } from "./queries.ts";
import { PATH, readUnsubscribe } from "./unsubscribe.ts";

const SETTINGS = "/settings/mail";

const kindsOf = (staff: boolean) => MAIL_KINDS.filter((kind) => staff || !("staff" in KINDS[kind]));

const DONE = { saved: "mails.saved" } as const;

const show = async ({ app, reply, who, t }: PageContext) => {
  const { settings, staff } = (await selectAddressee(app.sql, who.userId))!;
  const kinds = kindsOf(staff);
  return sendSettings(reply, {
    title: t("mails.title"),
    done: DONE,
    view: view("mails", {
      email: who.email,
      kinds: kinds.map((name) => ({ name, label: KINDS[name].label })),
      on: [
        ...kinds.filter((name) => wantsMail(settings, name)),
        ...(settings.mails?.[ALWAYS] ? [ALWAYS] : []),
      ],
    }),
  });
};

const save = async ({ app, request, reply, who }: PageContext) => {
  const { staff } = (await selectAddressee(app.sql, who.userId))!;
  const texts = readTexts(request.body);
  const names = [...kindsOf(staff), ALWAYS];
  const mails = Object.fromEntries(names.map((name) => [name, texts[name] === "1"]));
  await chooseMails(app, who.userId, mails);
  return goTo(reply, `${SETTINGS}?done=saved`);
};

type ByToken = FastifyRequest<{ Params: { token: string } }>;

const read = async (app: App, { params }: ByToken) => {
  const unsubscribe = readUnsubscribe(app, params.token);
  const addressee = unsubscribe && (await selectAddressee(app.sql, unsubscribe.userId));
  if (!unsubscribe || !addressee) throw new NotFound(says("mails.bad_link"));
  return { ...unsubscribe, username: addressee.username };
};

/** Changes nothing when the link is opened, since mail programs open links by themselves. */
const ask = async (app: App, request: ByToken, reply: FastifyReply) => {
  const { kind, username } = await read(app, request);
  return sendCard(app, reply, {
    title: textsOf(request).t("mails.unsubscribe"),
    view: view("unsubscribe", {
      path: `${PATH}/${request.params.token}`,
      username,
      kind: KINDS[kind].label,
    }),
  });
};

const unsubscribe = async (app: App, request: ByToken, reply: FastifyReply) => {
  const { userId, kind, username } = await read(app, request);
  await app.sql.begin((tx) => updateMails(tx, userId, { [kind]: false }));
  return sendCard(app, reply, {
    title: textsOf(request).t("mails.stopped"),
    view: view("message", {
      texts: [["mails.stopped_text", { name: username }], KINDS[kind].label],
      below: [[SETTINGS, "mails.settings"]],
    }),
  });
};

export const mailPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    pages.get(SETTINGS, page(show));
    pages.post(SETTINGS, page(save));
    letterPages(pages, app);
    pages.get(`${PATH}/:token`, (request: ByToken, reply) => ask(app, request, reply));
    pages.post(`${PATH}/:token`, (request: ByToken, reply) => unsubscribe(app, request, reply));
  };
