// Two pages: which mails a person gets, and the end of mails of one kind without sign-in.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { readTexts } from "../oauth/parameters.ts";
import { formField } from "../people/pages/cookies.ts";
import { asMember, doneNote, noteOf, sendSettings } from "../people/pages/member.ts";
import { goTo, sendCard } from "../people/pages/parts.ts";
import type { SignedIn } from "../people/sign-in.ts";
import { ALWAYS, KINDS, MAIL_KINDS, wantsMail } from "./kinds.ts";
import { selectAddressee, updateMails } from "./queries.ts";
import { PATH, readUnsubscribe } from "./unsubscribe.ts";

const SETTINGS = "/settings/mail";
const ALWAYS_LABEL = "Send emails while I have an app open";

type Box = { name: string; label: string; on: boolean };

const box = ({ name, label, on }: Box): Html =>
  html`<div class="check">
    <input type="checkbox" id="${name}" name="${name}" value="1" ${on && raw("checked ")} />
    <label for="${name}">${label}</label>
  </div>`;

const kindsOf = (staff: boolean) => MAIL_KINDS.filter((kind) => staff || !("staff" in KINDS[kind]));

const DONE = { saved: "Your email settings have been saved." };

const show = async (app: App, request: FastifyRequest, reply: FastifyReply, who: SignedIn) => {
  const { settings, staff } = (await selectAddressee(app.sql, who.userId))!;
  const boxes = kindsOf(staff).map((name) => ({
    name,
    label: KINDS[name].label,
    on: wantsMail(settings, name),
  }));
  const always = { name: ALWAYS, label: ALWAYS_LABEL, on: settings.mails?.[ALWAYS] ?? false };
  return sendSettings(reply, {
    title: "Email notifications",
    body: html`${noteOf(doneNote(request, DONE))}
      <form method="post" action="${SETTINGS}">
        ${formField(app, request, reply)}
        <fieldset class="checks">
          <legend>Send an email to ${who.email} when</legend>
          ${boxes.map(box)}
        </fieldset>
        <fieldset class="checks">
          <legend>Even if I see it elsewhere</legend>
          ${box(always)}
        </fieldset>
        <p class="soft small">Emails about the security of your account are always sent.</p>
        <button class="button">Save</button>
      </form>`,
  });
};

const save = async (app: App, request: FastifyRequest, reply: FastifyReply, who: SignedIn) => {
  const { staff } = (await selectAddressee(app.sql, who.userId))!;
  const given = readTexts(request.body);
  const names = [...kindsOf(staff), ALWAYS];
  const mails = Object.fromEntries(names.map((name) => [name, given[name] === "1"]));
  await app.sql.begin((tx) => updateMails(tx, who.userId, mails));
  return goTo(reply, `${SETTINGS}?done=saved`);
};

const LINK_WORKS_NOT = "This link does not work. Sign in to change your email settings.";

type ByToken = FastifyRequest<{ Params: { token: string } }>;

const read = async (app: App, { params }: ByToken) => {
  const found = readUnsubscribe(app, params.token);
  const addressee = found && (await selectAddressee(app.sql, found.userId));
  if (!found || !addressee) throw new NotFound(LINK_WORKS_NOT);
  return { ...found, username: addressee.username };
};

/** Opening the link changes nothing: mail programs open links by themselves. */
const ask = async (app: App, request: ByToken, reply: FastifyReply) => {
  const { kind, username } = await read(app, request);
  return sendCard(app, reply, {
    title: "Unsubscribe",
    body: html`<p>Stop these emails to <strong>@${username}</strong>?</p>
      <p><em>${KINDS[kind].label}</em></p>
      <form method="post" action="${PATH}/${request.params.token}">
        <button class="button">Unsubscribe</button>
      </form>`,
  });
};

const unsubscribe = async (app: App, request: ByToken, reply: FastifyReply) => {
  const { userId, kind, username } = await read(app, request);
  await app.sql.begin((tx) => updateMails(tx, userId, { [kind]: false }));
  return sendCard(app, reply, {
    title: "You’re unsubscribed",
    body: html`<p>@${username} no longer gets these emails:</p>
      <p><em>${KINDS[kind].label}</em></p>
      <p><a href="${SETTINGS}">Email settings</a></p>`,
  });
};

export const mailPages =
  (app: App) =>
  (pages: Server): void => {
    pages.get(
      SETTINGS,
      asMember(app, (request, reply, who) => show(app, request, reply, who)),
    );
    pages.post(
      SETTINGS,
      asMember(app, (request, reply, who) => save(app, request, reply, who)),
    );
    pages.get(`${PATH}/:token`, (request: ByToken, reply) => ask(app, request, reply));
    pages.post(`${PATH}/:token`, (request: ByToken, reply) => unsubscribe(app, request, reply));
  };
