// Serves two pages: which mails a person gets, and the end of mails of one kind without sign-in.

import type { Field } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { says } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { askedAsMember } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { formOf } from "../../people/users/pages/fields.ts";
import { asAnybody, goTo, sendCard, sendServed } from "../../people/users/pages/components.ts";
import type { CardContext } from "../../people/users/pages/components.ts";
import { countSubscribers } from "../subscriptions/subscribe.ts";
import { chooseMails } from "./choose.ts";
import { letterPages } from "./letter-page.ts";
import { ALWAYS, KINDS, MAIL_KINDS, SUBSCRIBERS, wantsMail } from "./kinds.ts";
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

const subscribersField = (count: number): Field => ({
  legend: ["mails.subscribers", { count }],
  boxes: [{ name: SUBSCRIBERS, label: "mails.take_subscribers" }],
});

const show = async (context: PageContext) => {
  const { app, who } = context;
  const { settings, staff } = (await selectAddressee(app.sql, who.userId))!;
  const kinds = kindsOf(staff);
  const chosen = kinds.map((name) => [name, wantsMail(settings, name)]);
  const isOn = (name: string) => settings.mails?.[name] ?? false;
  const count = await countSubscribers(app, who.accountId);
  const fields = fieldsOf(who.email, kinds);
  return sendServed(context, {
    title: "mails.title",
    done: DONE,
    parts: [
      formOf(SETTINGS, "mails.save", [...fields, count !== null && subscribersField(count)], {
        values: {
          ...Object.fromEntries(chosen),
          [ALWAYS]: isOn(ALWAYS),
          [SUBSCRIBERS]: isOn(SUBSCRIBERS),
        },
        after: [{ text: { say: "mails.security" }, kind: "soft small" }],
      }),
    ],
  });
};

const save = async ({ app, request, reply, who }: PageContext) => {
  const { staff } = (await selectAddressee(app.sql, who.userId))!;
  const texts = readTexts(request.body);
  const isOffered = (await countSubscribers(app, who.accountId)) !== null;
  const names = [...kindsOf(staff), ALWAYS, ...(isOffered ? [SUBSCRIBERS] : [])];
  const mails = Object.fromEntries(names.map((name) => [name, texts[name] === "1"]));
  await chooseMails(app, who.userId, mails);
  return goTo(reply, `${SETTINGS}?done=saved`);
};

const read = async ({ app, request }: CardContext) => {
  const { token } = request.params as { token: string };
  const unsubscribe = readUnsubscribe(app, token);
  const addressee = unsubscribe && (await selectAddressee(app.sql, unsubscribe.userId));
  if (!unsubscribe || !addressee) throw new NotFound(says("mails.bad_link"));
  return { ...unsubscribe, token, username: addressee.username };
};

/** Changes nothing when the link is opened, since mail programs open links by themselves. */
const ask = async (context: CardContext) => {
  const { kind, token, username } = await read(context);
  return sendCard(context, {
    title: "mails.unsubscribe",
    parts: [
      { text: { say: "mails.stop", with: { name: { strong: `@${username}` } } } },
      { text: { soft: { say: KINDS[kind].label } } },
      formOf(`${PATH}/${token}`, "mails.unsubscribe"),
    ],
  });
};

const unsubscribe = async (context: CardContext) => {
  const { app } = context;
  const { userId, kind, username } = await read(context);
  await app.sql.begin((tx) => updateMails(tx, userId, { [kind]: false }));
  return sendCard(context, {
    title: "mails.stopped",
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
    pages.get(`${PATH}/:token`, asAnybody(app)(ask));
    pages.post(`${PATH}/:token`, asAnybody(app)(unsubscribe));
  };
