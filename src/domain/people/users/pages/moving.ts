// Serves the pages on which a person names other accounts as theirs (aliases), and moves to another account.

import type { Field, Key, Part, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { Unprocessable, checkFilled } from "../../../../platform/errors.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { says } from "../../../../platform/text/texts.ts";
import { findHandle } from "../../accounts/find.ts";
import { getAccount, loadByUris } from "../../accounts/load.ts";
import {
  COOL_DOWN_DAYS,
  addAlias,
  endMove,
  mayMoveAt,
  moveAccount,
  removeAlias,
} from "../../accounts/move.ts";
import { acct } from "../../accounts/present.ts";
import type { AccountView } from "../../accounts/tables.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { formOf } from "./fields.ts";
import { askedAsMember, checkPassword, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, refusable, sendServed } from "./components.ts";

const ALIASES = "/settings/aliases";
const MIGRATION = "/settings/migration";

/** Limit of look-ups, since each makes this server ask another one. */
const LOOKUPS: Limit = { name: "move-lookups:user", by: "person", count: 20, seconds: 1800 };

const fullHandle = ({ config }: App, view: AccountView): string =>
  `@${view.domain === null ? `${view.username}@${config.site.localDomain}` : acct(view)}`;

const handleIn = ({ request }: PageContext): string => {
  const { acct: handle = "" } = readTexts(request.body);
  checkFilled({ acct: handle.trim() });
  return handle;
};

/** Returns the account of the entered handle, as it is on its server now. */
const findOther = async (context: PageContext): Promise<AccountView> => {
  const { app, who } = context;
  const handle = handleIn(context);
  await countAttempt(app, LOOKUPS, who.userId);
  const id = await findHandle(app, handle);
  const known = id === null ? null : await getAccount(app, id);
  if (known && known.domain !== null) await app.remote.refreshAccount(known.uri);
  const view = known && (await getAccount(app, known.id));
  if (!view || view.suspended_at !== null || view.pending)
    throw new Unprocessable(says("aliases.unknown"));
  return view;
};

const ALIASES_DONE = {
  added: "aliases.done_added",
  removed: "aliases.done_removed",
} as const;

const handleField = (label: Key): Field => ({
  name: "acct",
  label,
  hint: "aliases.example",
  autocomplete: "off",
  max: 400,
});

const showAliases = async (context: PageContext) => {
  const { app, who } = context;
  const { also_known_as: uris } = await getAccount(app, who.accountId);
  const known = await loadByUris(app, uris);
  const rowOf = (uri: string): Row => {
    const view = known.get(uri);
    const name = view ? fullHandle(app, view) : uri;
    const remove = { action: `${ALIASES}/remove`, of: name, fields: { uri } };
    return { title: name, acts: [{ ...remove, label: "aliases.remove" }] };
  };
  return sendServed(context, {
    title: "aliases.title",
    done: ALIASES_DONE,
    parts: [
      { text: { say: "aliases.about" } },
      { rows: uris.map(rowOf) },
      formOf(ALIASES, "aliases.add", [handleField("aliases.old")]),
    ],
  });
};

const takeAlias = async (context: PageContext) => {
  const { app, reply, who } = context;
  const other = await findOther(context);
  if (other.id === who.accountId) throw new Unprocessable(says("aliases.self"));
  await addAlias(app, who.accountId, other.uri);
  return goTo(reply, `${ALIASES}?done=added`);
};

const takeRemoval = async ({ app, request, reply, who }: PageContext) => {
  await removeAlias(app, who.accountId, readTexts(request.body)["uri"] ?? "");
  return goTo(reply, `${ALIASES}?done=removed`);
};

const MIGRATION_DONE = {
  moved: "move.done_moved",
  ended: "move.done_ended",
} as const;

const movedParts = (app: App, target: AccountView): Part[] => {
  const account = {
    link: target.url ?? target.uri,
    text: { strong: fullHandle(app, target) },
  };
  return [
    { text: { say: "move.points_to", with: { account } } },
    { acts: [{ action: `${MIGRATION}/end`, label: "move.again" }] },
    { text: { say: "move.stay" } },
  ];
};

const moveParts = (context: PageContext): Part[] => [
  { text: { say: "move.about" } },
  {
    items: [
      { say: "move.first" },
      { say: "move.then" },
      { say: "move.cool_down", values: { count: COOL_DOWN_DAYS } },
    ],
  },
  formOf(MIGRATION, "move.move", [handleField("move.new"), ownPassword(context)], {
    username: context.who.username,
    kind: "bad",
  }),
];

const migrationParts = async (context: PageContext): Promise<Part[]> => {
  const { app, who } = context;
  const { moved_to: target } = await getAccount(app, who.accountId);
  if (target) return movedParts(app, target);
  const next = await mayMoveAt(app, who.accountId);
  return next ? [{ notice: { say: "move.recently", with: { time: next } } }] : moveParts(context);
};

const showMigration = async (context: PageContext) =>
  sendServed(context, {
    title: "move.title",
    done: MIGRATION_DONE,
    parts: await migrationParts(context),
  });

const takeMove = async (context: PageContext) => {
  const { app, reply, who } = context;
  await checkPassword(context, () => void handleIn(context));
  const other = await findOther(context);
  await moveAccount(app, { accountId: who.accountId, targetId: other.id });
  return goTo(reply, `${MIGRATION}?done=moved`);
};

const takeEnd = async ({ app, reply, who }: PageContext) => {
  await endMove(app, who.accountId);
  return goTo(reply, `${MIGRATION}?done=ended`);
};

export const movingPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(ALIASES, page(showAliases));
  server.post(ALIASES, page(refusable(takeAlias, showAliases, "acct")));
  server.post(`${ALIASES}/remove`, page(takeRemoval));
  server.get(MIGRATION, page(showMigration));
  server.post(MIGRATION, page(refusable(takeMove, showMigration, "acct")));
  server.post(`${MIGRATION}/end`, page(takeEnd));
};
