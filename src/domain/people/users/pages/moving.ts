// Serves the pages on which a person names other accounts as theirs (aliases), and moves to another account.

import type { App } from "../../../../platform/app.ts";
import { DomainError } from "../../../../platform/errors.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
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
import { formField } from "./cookies.ts";
import { askedAsMember, doneNote, hasPassword, passwordField, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, inputField, notice, usernameHint } from "./components.ts";
import type { Faults } from "./components.ts";
import { whenText } from "./when.ts";

const ALIASES = "/settings/aliases";
const MIGRATION = "/settings/migration";

/** Limit of look-ups, since each makes this server ask another one. */
const LOOKUPS: Limit = { name: "move-lookups:user", by: "person", count: 20, seconds: 1800 };

const fullHandle = ({ app }: PageContext, view: AccountView): string =>
  view.domain === null ? `${view.username}@${app.config.site.localDomain}` : acct(view);

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

const handleField = ({ t }: PageContext, label: string, value: string, fault?: string) =>
  inputField({
    name: "acct",
    label,
    hint: t("aliases.example"),
    value,
    fault,
    autocomplete: "off",
    maxlength: 400,
  });

/** Draws an alias by its handle, where the account is still known. */
const alias = (context: PageContext, uri: string, known: AccountView | undefined) => {
  const { app, request, reply, t } = context;
  const name = known ? `@${fullHandle(context, known)}` : uri;
  return html`<li>
    <div class="what"><strong>${name}</strong></div>
    <form method="post" action="${ALIASES}/remove">
      ${formField(app, request, reply)}
      <input type="hidden" name="uri" value="${uri}" />
      <button class="button plain" aria-label="${t("aliases.remove_of", { name })}">
        ${t("aliases.remove")}
      </button>
    </form>
  </li>`;
};

const ALIASES_DONE = {
  added: "aliases.done_added",
  removed: "aliases.done_removed",
} as const;

const showAliases = async (context: PageContext, value = "", fault?: string) => {
  const { app, request, reply, who, t } = context;
  const { also_known_as: aliases } = await getAccount(app, who.accountId);
  const known = await loadByUris(app, aliases);
  return sendSettings(reply, {
    title: t("aliases.title"),
    status: fault ? 422 : 200,
    body: html`${doneNote(request, ALIASES_DONE)}
      <p>${t("aliases.about")}</p>
      <ul class="rows">
        ${aliases.map((uri) => alias(context, uri, known.get(uri)))}
      </ul>
      <form method="post" action="${ALIASES}">
        ${formField(app, request, reply)} ${handleField(context, t("aliases.old"), value, fault)}
        <button class="button">${t("aliases.add")}</button>
      </form>`,
  });
};

const takeAlias = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { acct: handle = "" } = readTexts(request.body);
  const other = await findOther(context, handle);
  if (!other || other.suspended_at !== null)
    return showAliases(context, handle, context.t("aliases.unknown"));
  if (other.id === who.accountId) {
    return showAliases(context, handle, context.t("aliases.self"));
  }
  try {
    await addAlias(app, who.accountId, other.uri);
  } catch (error) {
    if (error instanceof DomainError)
      return showAliases(context, handle, formErrorText(context.t, error));
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

const movedBody = (context: PageContext, target: AccountView) => {
  const { app, request, reply, t } = context;
  const account = html`<a href="${target.url}"
    ><strong>@${fullHandle(context, target)}</strong></a
  >`;
  return html`<p>${sentence(t, "move.points_to", { account })}</p>
    <form method="post" action="${MIGRATION}/end">
      ${formField(app, request, reply)}
      <button class="button plain">${t("move.again")}</button>
    </form>
    <p>${t("move.stay")}</p>`;
};

type Shown = { handle?: string; faults?: Faults };

const moveForm = (context: PageContext, { handle = "", faults = {} }: Shown) => {
  const { app, request, reply, who, t } = context;
  return html`<p>${t("move.about")}</p>
    <ul>
      <li>${t("move.first")}</li>
      <li>${t("move.then")}</li>
      <li>${t("move.cool_down", { count: COOL_DOWN_DAYS })}</li>
    </ul>
    <form method="post" action="${MIGRATION}">
      ${formField(app, request, reply)} ${usernameHint(who.username)}
      ${handleField(context, t("move.new"), handle, faults["acct"])}
      ${passwordField(t, faults["password"])}
      <button class="button bad">${t("move.move")}</button>
    </form>`;
};

const showMigration = async (context: PageContext, shown: Shown = {}) => {
  const { app, request, reply, who, t, language } = context;
  const { moved_to: target } = await getAccount(app, who.accountId);
  const next = target ? null : await mayMoveAt(app, who.accountId);
  const wait = next && notice(sentence(t, "move.recently", { time: whenText(next, language) }));
  return sendSettings(reply, {
    title: t("move.title"),
    status: shown.faults ? 422 : 200,
    body: html`${doneNote(request, MIGRATION_DONE)}
    ${target ? movedBody(context, target) : (wait ?? moveForm(context, shown))}`,
  });
};

const takeMove = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { acct: handle = "" } = readTexts(request.body);
  if (!(await hasPassword(app, request, who))) {
    return showMigration(context, {
      handle,
      faults: { password: context.t("field.password_wrong") },
    });
  }
  const other = await findOther(context, handle);
  if (!other)
    return showMigration(context, { handle, faults: { acct: context.t("aliases.unknown") } });
  try {
    await moveAccount(app, { accountId: who.accountId, targetId: other.id });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return showMigration(context, { handle, faults: { acct: formErrorText(context.t, error) } });
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
