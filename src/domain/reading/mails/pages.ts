// Serves two pages: which mails a person gets, and the end of mails of one kind without sign-in.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { says, sentence } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { formField } from "../../people/users/pages/cookies.ts";
import { askedAsMember, doneNote, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo, sendCard } from "../../people/users/pages/components.ts";
import { textsOf } from "../../people/users/pages/texts.ts";
import { chooseMails } from "./choose.ts";
import { letterPages } from "./letter-page.ts";
import { ALWAYS, KINDS, MAIL_KINDS, wantsMail } from "./kinds.ts";
import { selectAddressee, updateMails } from "./queries.ts";
import { PATH, readUnsubscribe } from "./unsubscribe.ts";

const SETTINGS = "/settings/mail";

type Box = { name: string; label: string; on: boolean };

const box = ({ name, label, on }: Box): Html =>
  html`<div class="check">
    <input type="checkbox" id="${name}" name="${name}" value="1" ${on && raw("checked ")} />
    <label for="${name}">${label}</label>
  </div>`;

const kindsOf = (staff: boolean) => MAIL_KINDS.filter((kind) => staff || !("staff" in KINDS[kind]));

const DONE = { saved: "mails.saved" } as const;

const show = async ({ app, request, reply, who, t }: PageContext) => {
  const { settings, staff } = (await selectAddressee(app.sql, who.userId))!;
  const boxes = kindsOf(staff).map((name) => ({
    name,
    label: t(KINDS[name].label),
    on: wantsMail(settings, name),
  }));
  const isAlways = settings.mails?.[ALWAYS] ?? false;
  const always = { name: ALWAYS, label: t("mails.always"), on: isAlways };
  return sendSettings(reply, {
    title: t("mails.title"),
    body: html`${doneNote(request, DONE)}
      <form method="post" action="${SETTINGS}">
        ${formField(app, request, reply)}
        <fieldset class="checks">
          <legend>${t("mails.when", { email: who.email })}</legend>
          ${boxes.map(box)}
        </fieldset>
        <fieldset class="checks">
          <legend>${t("mails.even")}</legend>
          ${box(always)}
        </fieldset>
        <p class="soft small">${t("mails.security")}</p>
        <button class="button">${t("mails.save")}</button>
      </form>`,
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
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("mails.unsubscribe"),
    body: html`<p>${sentence(t, "mails.stop", { name: html`<strong>@${username}</strong>` })}</p>
      <p><em>${t(KINDS[kind].label)}</em></p>
      <form method="post" action="${PATH}/${request.params.token}">
        <button class="button">${t("mails.unsubscribe")}</button>
      </form>`,
  });
};

const unsubscribe = async (app: App, request: ByToken, reply: FastifyReply) => {
  const { userId, kind, username } = await read(app, request);
  await app.sql.begin((tx) => updateMails(tx, userId, { [kind]: false }));
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("mails.stopped"),
    body: html`<p>${t("mails.stopped_text", { name: username })}</p>
      <p><em>${t(KINDS[kind].label)}</em></p>
      <p><a href="${SETTINGS}">${t("mails.settings")}</a></p>`,
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
