// Lists an account's posts for the staff, who can delete them or mark them as sensitive one by one.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { getAdminAccount, postsOfAccount } from "../../domain/staff/moderation/load.ts";
import { actOnPostsOf } from "../../domain/staff/moderation/reports.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { staffForm } from "./forms.ts";
import { entered, form, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { checkbox, empty, mediaRejectedOf, postQuote } from "./components.ts";

const PATH = "/admin/accounts/:id/posts";
const LIMIT = 20;

const DONE = { decided: "moderation.posts.decided" } as const;

const pathOf = (staff: Staff): string => PATH.replace(":id", idOf(staff));

/** Returns the ids of the ticked posts. */
const tickedPosts = (staff: Staff): string[] =>
  Object.keys(entered(staff)).flatMap((name) => /^post_(\d+)$/.exec(name)?.[1] ?? []);

const show = async (staff: Staff, problem?: string) => {
  const { app, actor, who, t } = staff;
  const { account } = await getAdminAccount(app, idOf(staff));
  const views = await postsOfAccount(app, account.id, pageOf(staff, LIMIT), who.accountId);
  const rejected = await mediaRejectedOf(app, views);
  const mayAct = may(actor, "accounts.warn", account);
  const posts = views.map(
    (view) =>
      html`${mayAct && checkbox(`post_${view.id}`, t("moderation.posts.choose"), false)}
      ${postQuote(staff, view, rejected)}`,
  );
  const acts = html`${inputField({ name: "text", label: t("moderation.reason"), type: "textarea", value: entered(staff)["text"] ?? "", optional: true, maxlength: 5000, hint: t("moderation.reason_sent") })}
    <div class="buttons">
      <button class="button plain" name="decision" value="mark_statuses_as_sensitive">
        ${t("moderation.posts.mark")}
      </button>
      <button class="button bad" name="decision" value="delete_statuses">
        ${t("moderation.posts.delete")}
      </button>
    </div>`;
  return sendAdmin(staff, {
    title: t("moderation.posts.title", { name: `@${acct(account)}` }),
    problem,
    done: DONE,
    back: `/admin/accounts/${account.id}`,
    body: html`${
      views.length === 0
        ? empty(t("moderation.posts.none"))
        : mayAct
          ? form(staff, pathOf(staff), html`${posts} ${acts}`)
          : posts
    }
    ${olderLink(staff, views, LIMIT)}`,
  });
};

const decide = async (staff: Staff): Promise<string> => {
  const { decision, text = "" } = entered(staff);
  if (decision !== "delete_statuses" && decision !== "mark_statuses_as_sensitive") {
    throw new Unprocessable(staff.t("moderation.choose_act"));
  }
  const act = { action: decision, text: text.trim(), mail: true } as const;
  await actOnPostsOf(staff.app, staff.actor, idOf(staff), tickedPosts(staff), act);
  return `${pathOf(staff)}?done=decided`;
};

export const accountPostPages = (pages: Server, app: App): void => {
  pages.get(PATH, staffPage(app, ["accounts.read"], show));
  pages.post(PATH, staffForm(app, ["accounts.read"], decide, show));
};
