// Serves the pages on which a person names other accounts as theirs (aliases), and moves to another account.

import type { Field, Key, Part, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { Unprocessable, checkFilled } from "../../../../platform/errors.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
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
import { checkPassword, memberPage, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { sendServed } from "./components.ts";

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
    parts: [
      { text: { say: "aliases.about" } },
      { rows: uris.map(rowOf) },
      formOf(ALIASES, "aliases.add", [handleField("aliases.old")]),
    ],
  });
};

const takeAlias = async (context: PageContext): Promise<void> => {
  const { app, who } = context;
  const other = await findOther(context);
  if (other.id === who.accountId) throw new Unprocessable(says("aliases.self"));
  await addAlias(app, who.accountId, other.uri);
};

const takeRemoval = ({ app, request, who }: PageContext) =>
  removeAlias(app, who.accountId, readTexts(request.body)["uri"] ?? "");

export const aliasPages = memberPage(ALIASES, showAliases, [
  ["", "aliases.done_added", takeAlias, "acct"],
  ["/remove", "aliases.done_removed", takeRemoval],
]);

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
    parts: await migrationParts(context),
  });

const takeMove = async (context: PageContext): Promise<void> => {
  const { app, who } = context;
  await checkPassword(context, () => void handleIn(context));
  const other = await findOther(context);
  await moveAccount(app, { accountId: who.accountId, targetId: other.id });
};

export const migrationPages = memberPage(MIGRATION, showMigration, [
  ["", "move.done_moved", takeMove, "acct"],
  ["/end", "move.done_ended", ({ app, who }) => endMove(app, who.accountId)],
]);
