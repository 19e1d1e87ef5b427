// The page "Ways to sign in": shows the ways of an account, adds providers and removes them.

import type { Field, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { Unprocessable, orNotFound } from "../../../../platform/errors.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { says } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { listPasskeys } from "../../users/factors/passkeys.ts";
import { goTo, refusable, sendCard, sendServed } from "../../users/pages/components.ts";
import { formOf } from "../../users/pages/fields.ts";
import { askedAsMember, checkPassword, ownPassword } from "../../users/pages/member.ts";
import type { PageContext } from "../../users/pages/member.ts";
import { visitor } from "../../users/pages/cookies.ts";
import {
  askDirectory,
  findSource,
  formerName,
  isDirectory,
  listSources,
  sourceName,
} from "../directory.ts";
import { link } from "../enter.ts";
import { providerFault } from "../protocols.ts";
import type { IdentityRow, Source } from "../tables.ts";
import { identitiesOf } from "../ways.ts";
import { directoryProblem } from "./entry.ts";
import { WAYS, countBegun, goToProvider } from "./sign-in.ts";

const DONE = { added: "ways.done_added", removed: "ways.done_removed" } as const;

const identityRow = (
  context: PageContext,
  { id, issuer, subject, email, created_at, used_at }: IdentityRow,
  name: string | null,
): Row => ({
  title: name ?? formerName(issuer),
  lines: [
    email ?? subject,
    { say: "ways.added", with: { time: created_at } },
    used_at ? { say: "ways.used", with: { time: used_at } } : { say: "ways.never_used" },
    name === null && { say: "ways.gone" },
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

const addPath = ({ id }: Pick<Source, "id">): string => `${WAYS}/add/${id}`;

const show = async (context: PageContext) => {
  const { app, who } = context;
  const sources = await listSources(app);
  const identities = await identitiesOf(app, who.userId);
  const more = sources.filter(({ issuer }) => identities.every((row) => row.issuer !== issuer));
  const rows = identities.map((row) => identityRow(context, row, sourceName(sources, row)));
  return sendServed(context, {
    title: "ways.title",
    done: DONE,
    parts: [
      { text: { say: "ways.about" } },
      { rows: [...(await localRows(context)), ...rows] },
      more.length > 0 && {
        ways: more.map((each) => [addPath(each), ["ways.add", { name: each.name }]] as const),
      },
    ],
  });
};

const sourceOf = async ({ app, request }: PageContext): Promise<Source> =>
  orNotFound(await findSource(app, (request.params as { id: string }).id));

/** What the directory is asked, which has no page of its own. */
const directoryFields = (name: string): readonly Field[] => [
  { name: "login", label: ["ways.login", { name }], autocomplete: "off" },
  {
    name: "password",
    label: ["ways.login_password", { name }],
    type: "password",
    autocomplete: "off",
  },
];

/** Asks on a page of its own, because the policy of the settings lets no form lead to another server. */
const showAdd = async (context: PageContext) => {
  const source = await sourceOf(context);
  const { name } = source;
  const isAsked = isDirectory(source);
  const fields = [...(isAsked ? directoryFields(name) : []), ownPassword(context)];
  return sendCard(context, {
    title: ["ways.add", { name }],
    parts: [
      { text: { say: isAsked ? "ways.add_directory" : "ways.add_text", values: { name } } },
      formOf(addPath(source), ["ways.add", { name }], fields, { username: context.who.username }),
      { below: [[WAYS, "ways.title"]] },
    ],
  });
};

/** Adds the directory to who shows that its name and password are theirs. */
const addDirectory = async (context: PageContext, directory: Source) => {
  const { app, request, reply, who } = context;
  const { login = "", password = "" } = readTexts(request.body);
  try {
    await countBegun(context);
    const signIn = await askDirectory(app, login.trim(), password);
    if (!signIn) throw new Unprocessable(says("sign_in.wrong"));
    await link(app, who.userId, directory, signIn);
  } catch (error) {
    const fault = providerFault(error);
    if (fault === null) throw error;
    return showAdd({ ...context, refused: directoryProblem(context, fault, error as Error) });
  }
  return goTo(reply, `${WAYS}?done=added`);
};

const add = async (context: PageContext) => {
  const { app, request, who } = context;
  const source = await sourceOf(context);
  const { id } = source;
  await checkPassword(context);
  if (isDirectory(source)) return addDirectory(context, source);
  const { sessionId } = (await visitor(app, request))!;
  return goToProvider(context, id, { returnTo: null, link: { userId: who.userId, sessionId } });
};

const remove = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  await checkPassword(context);
  const { sessionId } = (await visitor(app, request))!;
  const sources = await listSources(app);
  const id = parseId((request.params as { id: string }).id) ?? "0";
  const { removeWay } = await import("#sso-accounts");
  await removeWay(
    app,
    { userId: who.userId, sessionId },
    id,
    (row) => sourceName(sources, row) ?? formerName(row.issuer),
  );
  return goTo(reply, `${WAYS}?done=removed`);
};

export const waysPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(WAYS, page(show));
  server.get(`${WAYS}/add/:id`, page(showAdd));
  server.post(`${WAYS}/add/:id`, page(refusable(add, showAdd)));
  server.post(`${WAYS}/:id/remove`, page(refusable(remove, show)));
};
