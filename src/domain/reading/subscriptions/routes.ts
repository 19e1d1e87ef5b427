// Serves how visitors get somebody's posts by mail: the API and the page by which they ask, and the page of the link
// that is sent to them, on which they confirm and unsubscribe without sign-in.

import type { Part } from "../../../../web/src/served/part-pages.ts";
import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import { open } from "../../../platform/http/auth.ts";
import { Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import type { Key } from "../../../platform/text/texts.ts";
import { findKnownId } from "../../people/accounts/find.ts";
import { getAccount, getShownAccount } from "../../people/accounts/load.ts";
import { takesSubscribers } from "../../people/accounts/present.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { asAnybody, refusable, sendCard } from "../../people/users/pages/components.ts";
import type { CardContext } from "../../people/users/pages/components.ts";
import { checkForm } from "../../people/users/pages/cookies.ts";
import { EMAIL, formOf } from "../../people/users/pages/fields.ts";
import { textsOf } from "../../people/users/pages/texts.ts";
import { nameOf } from "../notifications/texts.ts";
import { confirm, end, readSubscription, subscribe } from "./subscribe.ts";

const schema = {
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ email: Type.Optional(Type.String()) }),
};

export const subscriptionRoutes = (server: Server, app: App): void => {
  const path = "/api/v1/accounts/:id/email_subscriptions";
  server.post(path, { config: open(), schema }, async (request) => {
    const { body, ip, params } = request;
    const { language: locale } = textsOf(request);
    const view = await getShownAccount(app, params.id);
    await subscribe(app, view, { email: body.email ?? "", ip, locale });
    return {};
  });
};

const authorOf = async ({ app, request }: CardContext) => {
  const id = await findKnownId(app, (request.params as { name: string }).name);
  const author = id === null ? null : await getAccount(app, id);
  if (!author || !takesSubscribers(author)) throw new NotFound();
  return author;
};

const say = (context: CardContext, title: Key, text: Key, name: string, more?: Part | false) =>
  sendCard(context, { title, parts: [{ text: { say: text, values: { name } } }, more] });

const show = async (context: CardContext) => {
  const author = await authorOf(context);
  const form = formOf(`/@${author.username}/subscribe`, "subscribe.send", [EMAIL]);
  return say(context, "subscribe.title", "subscribe.about", nameOf(author), form);
};

const ask = async (context: CardContext) => {
  const { app, request, language: locale } = context;
  const { email = "" } = readTexts(request.body);
  const author = await authorOf(context);
  await subscribe(app, author, { email, ip: request.ip, locale });
  return say(context, "subscribe.sent", "subscribe.sent_text", nameOf(author));
};

const tokenIn = ({ request }: CardContext) => (request.params as { token: string }).token;

const read = (context: CardContext) => readSubscription(context.app, tokenIn(context));

/** Says that it is done however often a link is opened or pressed after the subscription has ended. */
const ended = (context: CardContext, { author, name }: Awaited<ReturnType<typeof read>>) => {
  const again = {
    text: { link: `/@${author.username}/subscribe`, text: { say: "subscribe.title" as const } },
  };
  const more = takesSubscribers(author) && again;
  return say(context, "subscribe.ended", "subscribe.ended_text", name, more);
};

/** Changes nothing when the link is opened, since mail programs open links by themselves. */
const offer = async (context: CardContext) => {
  const subscription = await read(context);
  if (!subscription.row) return ended(context, subscription);
  const path = `/subscriptions/${tokenIn(context)}`;
  const form = subscription.row.expires_at
    ? formOf(`${path}/confirm`, "subscribe.confirm")
    : formOf(path, "mails.unsubscribe");
  return say(context, "subscribe.title", "subscribe.about", subscription.name, form);
};

const accept = async (context: CardContext) => {
  const subscription = await read(context);
  if (!subscription.row) return ended(context, subscription);
  await confirm(context.app, subscription.row.id);
  return say(context, "subscribe.confirmed", "subscribe.confirmed_text", subscription.name);
};

const stop = async (context: CardContext) => {
  const subscription = await read(context);
  if (subscription.row) await end(context.app, subscription.row.id);
  return ended(context, subscription);
};

export const subscriptionPages =
  (app: App) =>
  (pages: Server): void => {
    const page = asAnybody(app);
    pages.get("/@:name/subscribe", page(show));
    const form = refusable(ask, show);
    pages.post(
      "/@:name/subscribe",
      page((context) => {
        checkForm(app, context.request);
        return form(context);
      }),
    );
    const link = "/subscriptions/:token";
    pages.get(link, page(offer));
    pages.post(`${link}/confirm`, page(accept));
    pages.post(link, page(stop));
  };
