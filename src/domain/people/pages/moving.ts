// The pages on which a person names other accounts as theirs (aliases), and moves to another account.

import type { App } from "../../../platform/app.ts";
import { DomainError } from "../../../platform/errors.ts";
import { countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
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
import {
  PASSWORD_WRONG,
  askedAsMember,
  doneNote,
  hasPassword,
  noteOf,
  passwordField,
  sendSettings,
} from "./member.ts";
import type { Asked } from "./member.ts";
import { goTo, inputField, notice, usernameHint } from "./parts.ts";
import type { Faults } from "./parts.ts";
import { whenText } from "./when.ts";

const ALIASES = "/settings/aliases";
const MIGRATION = "/settings/migration";

/** Each makes this server ask another one. */
const LOOKUPS: Limit = { name: "move-lookups:user", by: "person", count: 20, seconds: 1800 };

const UNKNOWN = "There is no such account, or its server does not answer. Enter it as name@server.";

const fullHandle = ({ app }: Asked, view: AccountView): string =>
  view.domain === null ? `${view.username}@${app.config.site.localDomain}` : acct(view);

/** The account of a handle, as it is on its server now. */
const findOther = async ({ app, who }: Asked, handle: string): Promise<AccountView | null> => {
  await countAttempt(app, LOOKUPS, who.userId);
  const id = await findHandle(app, handle);
  if (id === null) return null;
  const view = await getAccount(app, id);
  if (view.domain !== null) await app.remote.refreshAccount(view.uri);
  return getAccount(app, id);
};

const handleField = (label: string, hint: string, value: string, fault?: string) =>
  inputField({ name: "acct", label, hint, value, fault, autocomplete: "off", maxlength: 400 });

/** Its handle, where the account is still known. */
const alias = (asked: Asked, uri: string, known: AccountView | undefined) => {
  const { app, request, reply } = asked;
  const name = known ? `@${fullHandle(asked, known)}` : uri;
  return html`<li>
    <div class="what"><strong>${name}</strong></div>
    <form method="post" action="${ALIASES}/remove">
      ${formField(app, request, reply)}
      <input type="hidden" name="uri" value="${uri}" />
      <button class="button plain" aria-label="Remove ${name}">Remove</button>
    </form>
  </li>`;
};

const ALIASES_DONE = {
  added: "The alias has been added. You can now start the move from that account.",
  removed: "The alias has been removed.",
};

const showAliases = async (asked: Asked, value = "", fault?: string) => {
  const { app, request, reply, who } = asked;
  const { also_known_as: aliases } = await getAccount(app, who.accountId);
  const known = await loadByUris(app, aliases);
  return sendSettings(reply, {
    title: "Account aliases",
    status: fault ? 422 : 200,
    body: html`${noteOf(doneNote(request, ALIASES_DONE))}
      <p>
        If you want to move from another account to this one, add that account here first. This is
        harmless and can be undone. The move itself is started from the old account.
      </p>
      <ul class="rows">
        ${aliases.map((uri) => alias(asked, uri, known.get(uri)))}
      </ul>
      <form method="post" action="${ALIASES}">
        ${formField(app, request, reply)}
        ${handleField("Your old account", "For example: name@other.example", value, fault)}
        <button class="button">Add alias</button>
      </form>`,
  });
};

const takeAlias = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { acct: handle = "" } = readTexts(request.body);
  const other = await findOther(asked, handle);
  if (!other || other.suspended_at !== null) return showAliases(asked, handle, UNKNOWN);
  if (other.id === who.accountId) {
    return showAliases(asked, handle, "This is the account that you are signed in to.");
  }
  try {
    await addAlias(app, who.accountId, other.uri);
  } catch (error) {
    if (error instanceof DomainError) return showAliases(asked, handle, error.message);
    throw error;
  }
  return goTo(reply, `${ALIASES}?done=added`);
};

const takeRemoval = async ({ app, request, reply, who }: Asked) => {
  await removeAlias(app, who.accountId, readTexts(request.body)["uri"] ?? "");
  return goTo(reply, `${ALIASES}?done=removed`);
};

const MIGRATION_DONE = {
  moved: "Your account has moved. Your followers are being moved now, which can take a while.",
  ended: "Your account no longer points to another one.",
};

const movedBody = (asked: Asked, target: AccountView) => {
  const { app, request, reply } = asked;
  return html`<p>
      This account points to
      <a href="${target.url}"><strong>@${fullHandle(asked, target)}</strong></a
      >. You can still sign in here, but no longer post or follow with it.
    </p>
    <form method="post" action="${MIGRATION}/end">
      ${formField(app, request, reply)}
      <button class="button plain">Use this account again</button>
    </form>
    <p>Followers who have moved do not come back.</p>`;
};

type Shown = { handle?: string; faults?: Faults };

const moveForm = ({ app, request, reply, who }: Asked, { handle = "", faults = {} }: Shown) =>
  html`<p>
      Your followers will follow your new account instead, on every server that supports this. Your
      posts stay here and do not move.
    </p>
    <ul>
      <li>First add this account as an alias in the settings of your new account.</li>
      <li>Your profile here will point to the new account, and you cannot post here any more.</li>
      <li>After that you cannot move again for ${COOL_DOWN_DAYS} days.</li>
    </ul>
    <form method="post" action="${MIGRATION}">
      ${formField(app, request, reply)} ${usernameHint(who.username)}
      ${handleField("Your new account", "For example: name@other.example", handle, faults["acct"])}
      ${passwordField(faults["password"])}
      <button class="button bad">Move my followers</button>
    </form>`;

const showMigration = async (asked: Asked, shown: Shown = {}) => {
  const { app, request, reply, who } = asked;
  const { moved_to: target } = await getAccount(app, who.accountId);
  const next = target ? null : await mayMoveAt(app, who.accountId);
  const wait = next && notice(html`You moved recently. You can move again from ${whenText(next)}.`);
  return sendSettings(reply, {
    title: "Move to another account",
    status: shown.faults ? 422 : 200,
    body: html`${noteOf(doneNote(request, MIGRATION_DONE))}
    ${target ? movedBody(asked, target) : (wait ?? moveForm(asked, shown))}`,
  });
};

const takeMove = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { acct: handle = "" } = readTexts(request.body);
  if (!(await hasPassword(app, request, who))) {
    return showMigration(asked, { handle, faults: { password: PASSWORD_WRONG } });
  }
  const other = await findOther(asked, handle);
  if (!other) return showMigration(asked, { handle, faults: { acct: UNKNOWN } });
  try {
    await moveAccount(app, { accountId: who.accountId, targetId: other.id });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return showMigration(asked, { handle, faults: { acct: error.message } });
  }
  return goTo(reply, `${MIGRATION}?done=moved`);
};

const takeEnd = async ({ app, reply, who }: Asked) => {
  await endMove(app, who.accountId);
  return goTo(reply, `${MIGRATION}?done=ended`);
};

export const movingPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    ALIASES,
    page((asked) => showAliases(asked)),
  );
  server.post(ALIASES, page(takeAlias));
  server.post(`${ALIASES}/remove`, page(takeRemoval));
  server.get(
    MIGRATION,
    page((asked) => showMigration(asked)),
  );
  server.post(MIGRATION, page(takeMove));
  server.post(`${MIGRATION}/end`, page(takeEnd));
};
