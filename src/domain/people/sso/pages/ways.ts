// The page "Ways to sign in": shows the ways of an account, adds providers and removes them.

import type { Part, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { listPasskeys } from "../../users/factors/passkeys.ts";
import { goTo, refusable, sendServed } from "../../users/pages/components.ts";
import { askedAsMember, checkPassword, ownPassword } from "../../users/pages/member.ts";
import type { PageContext } from "../../users/pages/member.ts";
import { visitor } from "../../users/pages/cookies.ts";
import { mayUsePassword } from "../../users/sign-in.ts";
import { listProviders } from "../providers.ts";
import type { IdentityRow, Provider } from "../tables.ts";
import { identitiesOf, removeWay } from "../ways.ts";
import { ssoPath } from "./buttons.ts";
import { WAYS, goToProvider } from "./sign-in.ts";

const DONE = { added: "ways.done_added", removed: "ways.done_removed" } as const;

const identityRow = (
  context: PageContext,
  { id, issuer, subject, email, created_at, used_at }: IdentityRow,
  provider: Provider | undefined,
): Row => ({
  title: provider?.name ?? new URL(issuer).host,
  lines: [
    email ?? subject,
    { say: "ways.added", with: { time: created_at } },
    used_at ? { say: "ways.used", with: { time: used_at } } : { say: "ways.never_used" },
    !provider && { say: "ways.gone" },
  ],
  acts: [
    provider &&
      !mayUsePassword(context.app, context.who) && {
        action: ssoPath(provider),
        label: "ways.confirm",
        of: provider.name,
        fields: { return_to: WAYS },
      },
  ],
  edit: {
    action: `${WAYS}/${id}/remove`,
    label: "ways.remove",
    fields: [ownPassword(context)],
    of: id,
    submit: "ways.remove_it",
    kind: "bad",
  },
});

const localRows = async ({ app, who }: PageContext): Promise<Row[]> => {
  if (app.config.sso.only && !who.isOwner) return [];
  const count = (await listPasskeys(app, who.userId)).length;
  const password = who.hasPassword ? "ways.password_set" : "ways.no_password";
  return [
    { title: { say: "ways.password" }, lines: [{ say: password }], href: "/settings/password" },
    {
      title: { say: "passkey.title" },
      lines: [{ say: "ways.passkeys", values: { count } }],
      href: "/settings/passkeys",
    },
  ];
};

const addPart = (context: PageContext, { id, name }: Provider): Part => ({
  add: {
    title: ["ways.add", { name }],
    action: `${WAYS}/add`,
    hidden: { id },
    of: id,
    before: [{ text: { say: "ways.add_text", values: { name } } }],
    fields: [ownPassword(context)],
    submit: ["ways.add", { name }],
  },
});

const show = async (context: PageContext) => {
  const { app, who } = context;
  const providers = await listProviders(app);
  const identities = await identitiesOf(app, who.userId);
  const providerOf = ({ issuer }: IdentityRow) => providers.find((each) => each.issuer === issuer);
  const rows = identities.map((row) => identityRow(context, row, providerOf(row)));
  return sendServed(context, {
    title: "ways.title",
    done: DONE,
    parts: [
      { text: { say: "ways.about" } },
      { rows: [...(await localRows(context)), ...rows] },
      ...providers
        .filter(({ issuer }) => !identities.some((row) => row.issuer === issuer))
        .map((provider) => addPart(context, provider)),
    ],
  });
};

const add = async (context: PageContext) => {
  const { app, request, who } = context;
  await checkPassword(context);
  const { sessionId } = (await visitor(app, request))!;
  const { id = "" } = readTexts(request.body);
  const link = { userId: who.userId, sessionId };
  return goToProvider(context, id, { returnTo: null, link });
};

const remove = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  await checkPassword(context);
  const { sessionId } = (await visitor(app, request))!;
  const providers = await listProviders(app);
  const id = parseId((request.params as { id: string }).id) ?? "0";
  await removeWay(app, { userId: who.userId, sessionId }, id, ({ issuer }) => {
    const provider = providers.find((each) => each.issuer === issuer);
    return provider?.name ?? new URL(issuer).host;
  });
  return goTo(reply, `${WAYS}?done=removed`);
};

export const waysPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(WAYS, page(show));
  server.post(`${WAYS}/add`, page(refusable(add, show)));
  server.post(`${WAYS}/:id/remove`, page(refusable(remove, show)));
};
