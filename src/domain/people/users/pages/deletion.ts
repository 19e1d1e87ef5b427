// Serves the page on which a person deletes their account.

import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { removeAccountIn } from "../../accounts/remove.ts";
import { isOnlyOwner, requireOtherOwner } from "../staff.ts";
import { noticeOf } from "../security-notices.ts";
import type { SignedIn } from "../sign-in.ts";
import { leave } from "./cookies.ts";
import { HOME, askedAsMember, checkPassword, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { formOf } from "./fields.ts";
import { goTo, refusable, sendServed } from "./components.ts";

const PATH = "/settings/delete";

/** The person is signed out everywhere at once and gets a last email; a job deletes the rest. */
const deleteOwnAccount = (app: App, who: SignedIn): Promise<void> =>
  app.sql.begin(async (tx) => {
    await requireOtherOwner(tx, who.accountId);
    await noticeOf(app, tx, who.userId, "account-deleted");
    await removeAccountIn(app, tx, who.accountId);
  });

const sendForm = async (context: PageContext) => {
  const { app, who } = context;
  const { accountId, username } = who;
  const account = { strong: `@${username}@${app.config.site.localDomain}` };
  return sendServed(context, {
    title: "deletion.title",
    parts: [
      { text: { say: "deletion.about", with: { account } } },
      {
        items: [
          { say: "deletion.signed_out" },
          { say: "deletion.name", values: { name: username } },
          { say: "deletion.copies" },
        ],
      },
      (await isOnlyOwner(app.sql, accountId))
        ? { notice: { say: "deletion.owner" }, kind: "bad" }
        : formOf(PATH, "deletion.delete", [ownPassword(context)], { username, kind: "bad" }),
    ],
  });
};

const takeForm = async (context: PageContext) => {
  const { app, reply, who } = context;
  await checkPassword(context);
  await deleteOwnAccount(app, who);
  // The account's sessions have ended with it; other accounts of the browser stay signed in.
  const goesOn = await leave(context, who.accountId);
  return goTo(reply, goesOn ? HOME : "/auth/sign_in?done=deleted");
};

export const deletionPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(PATH, page(sendForm));
  server.post(PATH, page(refusable(takeForm, sendForm)));
};
