// Serves the pages on which a person names other accounts as theirs (aliases), and moves to another account.

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
import { readTexts } from "../../oauth/parameters.ts";
import { view } from "./framed.ts";
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

const showAliases = async ({ app, reply, who, t }: PageContext, fault?: string) => {
  const { also_known_as: uris } = await getAccount(app, who.accountId);
  const known = await loadByUris(app, uris);
  const nameOf = (uri: string): string => {
    const view = known.get(uri);
    return view ? fullHandle(app, view) : uri;
  };
  return sendSettings(reply, {
    title: t("aliases.title"),
    done: ALIASES_DONE,
    faults: fault === undefined ? {} : { acct: fault },
    view: view("aliases", { aliases: uris.map((uri) => ({ uri, name: nameOf(uri) })) }),
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

const showMigration = async ({ app, reply, who, t }: PageContext, faults: Faults = {}) => {
  const { moved_to: target } = await getAccount(app, who.accountId);
  const nextAt = target ? null : await mayMoveAt(app, who.accountId);
  return sendSettings(reply, {
    title: t("move.title"),
    done: MIGRATION_DONE,
    faults,
    view: target
      ? view("moved", { url: target.url ?? target.uri, handle: fullHandle(app, target) })
      : view("migration", { username: who.username, days: COOL_DOWN_DAYS, nextAt }),
  });
};

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
