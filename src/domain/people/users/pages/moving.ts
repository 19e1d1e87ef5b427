// Serves the pages on which a person names other accounts as theirs (aliases), and moves to another account.

import type { Field, Key, Part, Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { DomainError } from "../../../../platform/errors.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
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
import type { SignedIn } from "../sign-in.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { PASSWORD } from "./fields.ts";
import { askedAsMember, hasPassword, sendSettings, wrongPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo } from "./components.ts";
import type { Faults } from "./components.ts";

const ALIASES = "/settings/aliases";
const MIGRATION = "/settings/migration";

/** Limit of look-ups, since each makes this server ask another one. */
const LOOKUPS: Limit = { name: "move-lookups:user", by: "person", count: 20, seconds: 1800 };

const fullHandle = ({ config }: App, view: AccountView): string =>
  `@${view.domain === null ? `${view.username}@${config.site.localDomain}` : acct(view)}`;

/** Returns the account of a handle, as it is on its server now. */
const findOther = async (
  { app, who }: PageContext,
  handle: string,
): Promise<AccountView | null> => {
  await countAttempt(app, LOOKUPS, who.userId);
  const id = await findHandle(app, handle);
  if (id === null) return null;
  const view = await getAccount(app, id);
  if (view.domain !== null) await app.remote.refreshAccount(view.uri);
  return getAccount(app, id);
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

const showAliases = async ({ app, reply, who, t }: PageContext, fault?: string) => {
  const { also_known_as: uris } = await getAccount(app, who.accountId);
  const known = await loadByUris(app, uris);
  const rowOf = (uri: string): Row => {
    const view = known.get(uri);
    const name = view ? fullHandle(app, view) : uri;
    const remove = { action: `${ALIASES}/remove`, of: name, fields: { uri } };
    return { title: name, acts: [{ ...remove, label: "aliases.remove" }] };
  };
  return sendSettings(reply, {
    title: t("aliases.title"),
    done: ALIASES_DONE,
    faults: fault === undefined ? {} : { acct: fault },
    parts: [
      { text: { say: "aliases.about" } },
      { rows: uris.map(rowOf) },
      { form: { action: ALIASES, fields: [handleField("aliases.old")], submit: "aliases.add" } },
    ],
  });
};

const takeAlias = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { acct: handle = "" } = readTexts(request.body);
  const other = await findOther(context, handle);
  if (!other || other.suspended_at !== null)
    return showAliases(context, context.t("aliases.unknown"));
  if (other.id === who.accountId) {
    return showAliases(context, context.t("aliases.self"));
  }
  try {
    await addAlias(app, who.accountId, other.uri);
  } catch (error) {
    if (error instanceof DomainError) return showAliases(context, formErrorText(context.t, error));
    throw error;
  }
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

const moveParts = ({ username }: SignedIn): Part[] => [
  { text: { say: "move.about" } },
  {
    items: [
      { say: "move.first" },
      { say: "move.then" },
      { say: "move.cool_down", values: { count: COOL_DOWN_DAYS } },
    ],
  },
  {
    form: {
      action: MIGRATION,
      username,
      fields: [handleField("move.new"), PASSWORD],
      submit: "move.move",
      kind: "bad",
    },
  },
];

const migrationParts = async (app: App, who: SignedIn): Promise<Part[]> => {
  const { moved_to: target } = await getAccount(app, who.accountId);
  if (target) return movedParts(app, target);
  const next = await mayMoveAt(app, who.accountId);
  return next ? [{ notice: { say: "move.recently", with: { time: next } } }] : moveParts(who);
};

const showMigration = async ({ app, reply, who, t }: PageContext, faults: Faults = {}) =>
  sendSettings(reply, {
    title: t("move.title"),
    done: MIGRATION_DONE,
    faults,
    parts: await migrationParts(app, who),
  });

const takeMove = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const { acct: handle = "" } = readTexts(request.body);
  if (!(await hasPassword(app, request, who))) return showMigration(context, wrongPassword(t));
  const other = await findOther(context, handle);
  if (!other) return showMigration(context, { acct: t("aliases.unknown") });
  try {
    await moveAccount(app, { accountId: who.accountId, targetId: other.id });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return showMigration(context, { acct: formErrorText(t, error) });
  }
  return goTo(reply, `${MIGRATION}?done=moved`);
};

const takeEnd = async ({ app, reply, who }: PageContext) => {
  await endMove(app, who.accountId);
  return goTo(reply, `${MIGRATION}?done=ended`);
};

export const movingPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    ALIASES,
    page((context) => showAliases(context)),
  );
  server.post(ALIASES, page(takeAlias));
  server.post(`${ALIASES}/remove`, page(takeRemoval));
  server.get(
    MIGRATION,
    page((context) => showMigration(context)),
  );
  server.post(MIGRATION, page(takeMove));
  server.post(`${MIGRATION}/end`, page(takeEnd));
};
