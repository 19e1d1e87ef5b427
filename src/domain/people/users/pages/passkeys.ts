// Serves the page of a person's passkeys: the list, adding one (needs a script), removing one.

import type { Row } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { Unprocessable, checkFilled } from "../../../../platform/errors.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { says } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { addPasskey, creationOptions, listPasskeys, removePasskey } from "../factors/passkeys.ts";
import type { PasskeyRow } from "../factors/queries.ts";
import { ensureBrowser } from "./cookies.ts";
import { askedAsMember, checkPassword, memberPage, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { refusable, sendServed } from "./components.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";

const PATH = "/settings/passkeys";
const START = `${PATH}/start`;
const rowOf = (context: PageContext, { id, name, created_at, used_at }: PasskeyRow): Row => ({
  title: name,
  lines: [
    { say: "passkey.added", with: { time: created_at } },
    used_at ? { say: "passkey.used", with: { time: used_at } } : { say: "passkey.unused" },
  ],
  edit: {
    action: `${PATH}/${id}/remove`,
    label: "passkey.remove",
    fields: [ownPassword(context)],
    of: id,
    submit: "passkey.remove_it",
    kind: "bad",
  },
});

const NAME = { name: "name", label: "passkey.name", hint: "passkey.name_hint", max: 60 } as const;

const show = async (context: PageContext) => {
  const { app, request, who } = context;
  const rows = await listPasskeys(app, who.userId);
  const { name } = readTexts(request.body);
  return sendServed(context, {
    title: "passkey.title",
    script: PASSKEY_SCRIPT,
    parts: [
      { text: { say: "passkey.about" } },
      { rows: rows.map((row) => rowOf(context, row)) },
      {
        passkey: "offer",
        title: "passkey.add",
        without: "passkey.unsupported",
        form: {
          action: START,
          fields: [NAME, ownPassword(context)],
          values: { name },
          submit: "passkey.add",
        },
      },
    ],
  });
};

/** Browsers ask for the finger only once the password is known to be right; the ticket shows that it was. */
const start = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { name = "" } = readTexts(request.body);
  await checkPassword(context, () => checkFilled({ name: name.trim() }));
  const browser = ensureBrowser(app, request, reply);
  const { challenge, ticket } = makeChallenge(app, `add:${who.userId}`, browser);
  return sendServed(context, {
    title: "passkey.add",
    script: PASSKEY_SCRIPT,
    parts: [
      { text: { say: "passkey.create_text" } },
      {
        passkey: "create",
        options: JSON.stringify(await creationOptions(app, who, challenge)),
        form: { action: PATH, hidden: { ticket, name }, submit: "passkey.create" },
      },
      { below: [[PATH, "passkey.title"]] },
    ],
  });
};

const add = async ({ app, request, reply, who }: PageContext): Promise<void> => {
  const { name = "", credential = "", ticket = "" } = readTexts(request.body);
  const browser = ensureBrowser(app, request, reply);
  const challenge = await takeChallenge(app, `add:${who.userId}`, browser, ticket);
  if (!challenge) throw new Unprocessable(says("passkey.timed_out"));
  await addPasskey(app, { userId: who.userId, name, credential, challenge });
};

const remove = async (context: PageContext): Promise<void> => {
  const { app, request, who } = context;
  await checkPassword(context);
  const id = parseId((request.params as { id: string }).id) ?? "0";
  await removePasskey(app, who.userId, id);
};

const passkeyForms = memberPage(PATH, show, [
  ["", "passkey.done_added", add],
  ["/:id/remove", "passkey.done_removed", remove],
]);

export const passkeyPages = (server: Server, app: App): void => {
  passkeyForms(server, app);
  server.post(START, askedAsMember(app)(refusable(start, show)));
};
