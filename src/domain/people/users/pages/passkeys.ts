// Serves the page of a person's passkeys: the list, adding one (needs a script), removing one.

import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { addPasskey, creationOptions, listPasskeys, removePasskey } from "../factors/passkeys.ts";
import type { PasskeyRow } from "../factors/queries.ts";
import { ensureBrowser, formField } from "./cookies.ts";
import { askedAsMember, doneNote, hasPassword, passwordField, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, inputField, notice } from "./components.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { whenText } from "./when.ts";

const PATH = "/settings/passkeys";
const DONE = {
  added: "passkey.done_added",
  removed: "passkey.done_removed",
} as const;

const entry = ({ app, request, reply, t, language }: PageContext, row: PasskeyRow) =>
  html`<li>
    <div class="what">
      <strong>${row.name}</strong>
      <span>${sentence(t, "passkey.added", { time: whenText(row.created_at, language) })}</span>
      <span
        >${
          row.used_at
            ? sentence(t, "passkey.used", { time: whenText(row.used_at, language) })
            : t("passkey.unused")
        }</span
      >
    </div>
    <form method="post" action="${PATH}/remove">
      ${formField(app, request, reply)}
      <input type="hidden" name="id" value="${row.id}" />
      <button class="button plain" aria-label="${t("passkey.remove_of", { name: row.name })}">
        ${t("passkey.remove")}
      </button>
    </form>
  </li>`;

const list = (context: PageContext, rows: PasskeyRow[]) =>
  rows.length > 0 &&
  html`<ul class="rows">
    ${rows.map((row) => entry(context, row))}
  </ul>`;

const addForm = async ({ app, request, reply, who, t }: PageContext, name: string) => {
  const browser = ensureBrowser(app, request, reply);
  const { challenge, ticket } = makeChallenge(app, `add:${who.userId}`, browser);
  const options = JSON.stringify(await creationOptions(app, who, challenge));
  return html`<form
    method="post"
    action="${PATH}"
    data-passkey="create"
    data-options="${options}"
    data-on-device="${t("passkey.on_device")}"
    data-none-used="${t("passkey.none_used")}"
    data-with-passkeys
    hidden
  >
    <h2>${t("passkey.add")}</h2>
    ${formField(app, request, reply)}
    <input type="hidden" name="ticket" value="${ticket}" />
    <input type="hidden" name="credential" value="" />
    ${inputField({ name: "name", label: t("passkey.name"), value: name, maxlength: 60, hint: t("passkey.name_hint") })}
    ${passwordField(t)}
    <button class="button">${t("passkey.add")}</button>
    <p class="fault" role="alert" data-fault hidden></p>
  </form>`;
};

const show = async (context: PageContext, problem?: string, name = "") => {
  const { app, request, reply, who, t } = context;
  const rows = await listPasskeys(app, who.userId);
  return sendSettings(reply, {
    title: t("passkey.title"),
    status: problem ? 422 : 200,
    script: PASSKEY_SCRIPT,
    body: html`${problem ? notice(problem, "bad") : doneNote(request, DONE)}
      <p>${t("passkey.about")}</p>
      ${list(context, rows)} ${await addForm(context, name)}
      <p class="soft" data-without-passkeys>${t("passkey.unsupported")}</p>`,
  });
};

const add = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const { name = "", credential = "", ticket = "" } = readTexts(request.body);
  const refuse = (text: string) => show(context, text, name.slice(0, 60));
  if (!(await hasPassword(app, request, who))) return refuse(t("field.password_wrong"));
  const browser = ensureBrowser(app, request, reply);
  const challenge = await takeChallenge(app, `add:${who.userId}`, browser, ticket);
  if (!challenge) return refuse(t("passkey.timed_out"));
  const fault = await addPasskey(app, { userId: who.userId, name, credential, challenge });
  return fault ? refuse(t(fault.key, fault.values)) : goTo(reply, `${PATH}?done=added`);
};

const remove = async ({ app, request, reply, who }: PageContext) => {
  const id = parseId(readTexts(request.body)["id"] ?? "");
  if (id) await removePasskey(app, who.userId, id);
  return goTo(reply, `${PATH}?done=removed`);
};

export const passkeyPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page((context) => show(context)),
  );
  server.post(PATH, page(add));
  server.post(`${PATH}/remove`, page(remove));
};
