// Serves two pages: which mails a person gets, and the end of mails of one kind without sign-in.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Field } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { says } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { askedAsMember, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { goTo, sendCard } from "../../people/users/pages/components.ts";
import { textsOf } from "../../people/users/pages/texts.ts";
import { chooseMails } from "./choose.ts";
import { letterPages } from "./letter-page.ts";
import { ALWAYS, KINDS, MAIL_KINDS, wantsMail } from "./kinds.ts";
import type { MailKind } from "./kinds.ts";
import { selectAddressee, updateMails } from "./queries.ts";
import { PATH, readUnsubscribe } from "./unsubscribe.ts";

const SETTINGS = "/settings/mail";

const kindsOf = (staff: boolean) => MAIL_KINDS.filter((kind) => staff || !("staff" in KINDS[kind]));

const DONE = { saved: "mails.saved" } as const;

const fieldsOf = (email: string, kinds: MailKind[]): Field[] => [
  {
    legend: ["mails.when", { email }],
    boxes: kinds.map((name) => ({ name, label: KINDS[name].label })),
  },
  { legend: "mails.even", boxes: [{ name: ALWAYS, label: "mails.always" }] },
];

const show = async ({ app, reply, who, t }: PageContext) => {
  const { settings, staff } = (await selectAddressee(app.sql, who.userId))!;
  const kinds = kindsOf(staff);
  const chosen = kinds.map((name) => [name, wantsMail(settings, name)]);
  return sendSettings(reply, {
    title: t("mails.title"),
    done: DONE,
    parts: [
      {
        form: {
          action: SETTINGS,
          fields: fieldsOf(who.email, kinds),
          values: { ...Object.fromEntries(chosen), [ALWAYS]: settings.mails?.[ALWAYS] ?? false },
          after: [{ text: { say: "mails.security" }, kind: "soft small" }],
          submit: "mails.save",
        },
      },
    ],
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
    parts: [
      { text: { say: "mails.stop", with: { name: { strong: `@${username}` } } } },
      { text: { soft: { say: KINDS[kind].label } } },
      { form: { action: `${PATH}/${request.params.token}`, submit: "mails.unsubscribe" } },
    ],
  });
};

const unsubscribe = async (app: App, request: ByToken, reply: FastifyReply) => {
  const { userId, kind, username } = await read(app, request);
  await app.sql.begin((tx) => updateMails(tx, userId, { [kind]: false }));
  return sendCard(app, reply, {
    title: textsOf(request).t("mails.stopped"),
    parts: [
      { text: { say: "mails.stopped_text", values: { name: username } } },
      { text: { soft: { say: KINDS[kind].label } } },
      { text: { link: SETTINGS, text: { say: "mails.settings" } } },
    ],
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
