// The page of a person's passkeys: the list, adding one (needs a script), removing one.

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/db/paging.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { addPasskey, creationOptions, listPasskeys, removePasskey } from "../factors/passkeys.ts";
import type { PasskeyRow } from "../factors/queries.ts";
import { ensureBrowser, formField } from "./cookies.ts";
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
import type { Note } from "./member.ts";
import { goTo, inputField } from "./parts.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { whenText } from "./when.ts";

const PATH = "/settings/passkeys";
const DONE = {
  added: "Passkey added. You can now sign in with it.",
  removed: "Passkey removed. You can also delete it from your device.",
};

const entry = ({ app, request, reply }: Asked, row: PasskeyRow) =>
  html`<li>
    <div class="what">
      <strong>${row.name}</strong>
      <span>Added ${whenText(row.created_at)}</span>
      <span>${row.used_at ? html`Last used ${whenText(row.used_at)}` : "Never used"}</span>
    </div>
    <form method="post" action="${PATH}/remove">
      ${formField(app, request, reply)}
      <input type="hidden" name="id" value="${row.id}" />
      <button class="button plain" aria-label="Remove ${row.name}">Remove</button>
    </form>
  </li>`;

const list = (asked: Asked, rows: PasskeyRow[]) =>
  rows.length > 0 &&
  html`<ul class="rows">
    ${rows.map((row) => entry(asked, row))}
  </ul>`;

const addForm = async ({ app, request, reply, who }: Asked, name: string) => {
  const browser = ensureBrowser(app, request, reply);
  const { challenge, ticket } = makeChallenge(app, `add:${who.userId}`, browser);
  const options = JSON.stringify(await creationOptions(app, who, challenge));
  return html`<form
    method="post"
    action="${PATH}"
    data-passkey="create"
    data-options="${options}"
    data-with-passkeys
    hidden
  >
    <h2>Add a passkey</h2>
    ${formField(app, request, reply)}
    <input type="hidden" name="ticket" value="${ticket}" />
    <input type="hidden" name="credential" value="" />
    ${inputField({ name: "name", label: "Name", value: name, maxlength: 60, hint: "A name to recognize it by, such as “Phone” or “Security key”." })}
    ${passwordField()}
    <button class="button">Add a passkey</button>
    <p class="fault" role="alert" data-fault hidden></p>
  </form>`;
};

const show = async (asked: Asked, note?: Note, name = "") => {
  const { app, request, reply, who } = asked;
  const rows = await listPasskeys(app, who.userId);
  return sendSettings(reply, {
    title: "Passkeys",
    status: note?.kind === "bad" ? 422 : 200,
    script: PASSKEY_SCRIPT,
    body: html`${noteOf(note ?? doneNote(request, DONE))}
      <p>
        A passkey is stored on your device or in your password manager, and is unlocked with your
        fingerprint, face or PIN. You can sign in with it instead of your password and two-factor
        code.
      </p>
      ${list(asked, rows)} ${await addForm(asked, name)}
      <p class="soft" data-without-passkeys>
        To add a passkey, use a browser that supports passkeys and enable JavaScript.
      </p>`,
  });
};

const add = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { name = "", credential = "", ticket = "" } = readTexts(request.body);
  const refuse = (text: string) => show(asked, { text, kind: "bad" }, name.slice(0, 60));
  if (!(await hasPassword(app, request, who))) return refuse(PASSWORD_WRONG);
  const browser = ensureBrowser(app, request, reply);
  const challenge = await takeChallenge(app, `add:${who.userId}`, browser, ticket);
  if (!challenge) return refuse("The request timed out. Please try again.");
  const fault = await addPasskey(app, { userId: who.userId, name, credential, challenge });
  return fault ? refuse(fault) : goTo(reply, `${PATH}?done=added`);
};

const remove = async ({ app, request, reply, who }: Asked) => {
  const id = parseId(readTexts(request.body)["id"] ?? "");
  if (id) await removePasskey(app, who.userId, id);
  return goTo(reply, `${PATH}?done=removed`);
};

export const passkeyPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page((asked) => show(asked)),
  );
  server.post(PATH, page(add));
  server.post(`${PATH}/remove`, page(remove));
};
