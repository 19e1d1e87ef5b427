// Lists an account's posts for the staff, who can delete them or mark them as sensitive one by one.

import type { Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { getAdminAccount, postsOfAccount } from "../../domain/staff/moderation/load.ts";
import { actOnPostsOf } from "../../domain/staff/moderation/reports.ts";
import { reason, older } from "./page-parts.ts";
import { atName } from "./people.ts";
import { mediaRejectedOf, postPart } from "./components.ts";
import { staffForm } from "./forms.ts";
import { entered, idOf, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { tickedIds } from "./ticked.ts";

const PATH = "/admin/accounts/:id/posts";
const LIMIT = 20;

const DONE = { decided: "moderation.posts.decided" } as const;

const pathOf = (staff: Staff): string => PATH.replace(":id", idOf(staff));

const show = async (staff: Staff) => {
  const { app, actor, who } = staff;
  const { account } = await getAdminAccount(app, idOf(staff));
  const views = await postsOfAccount(app, account.id, pageOf(staff, LIMIT), who.accountId);
  const rejected = await mediaRejectedOf(app, views);
  const mayAct = may(actor, "accounts.warn", account);
  const label = "moderation.posts.choose";
  const posts = views.flatMap((view): (Part | false)[] => [
    mayAct && { fields: { fields: [{ name: `post_${view.id}`, label, isBox: true }] } },
    postPart(staff, view, rejected),
  ]);
  const acts: Part = {
    form: {
      action: pathOf(staff),
      before: posts,
      fields: [reason("moderation.reason_sent")],
      submit: [
        {
          name: "decision",
          value: "mark_statuses_as_sensitive",
          label: "moderation.posts.mark",
          kind: "plain",
        },
        {
          name: "decision",
          value: "delete_statuses",
          label: "moderation.posts.delete",
          kind: "bad",
        },
      ],
    },
  };
  return sendAdmin(staff, {
    title: ["moderation.posts.title", { name: atName(account) }],
    done: DONE,
    back: `/admin/accounts/${account.id}`,
    parts: [
      views.length === 0 && { none: "moderation.posts.none" },
      ...(mayAct && views.length > 0 ? [acts] : posts),
      older(views, LIMIT),
    ],
  });
};

const decide = async (staff: Staff): Promise<string> => {
  const { decision, text = "" } = entered(staff);
  if (decision !== "delete_statuses" && decision !== "mark_statuses_as_sensitive") {
    throw new Unprocessable(staff.t("moderation.choose_act"));
  }
  const act = { action: decision, text: text.trim(), mail: true } as const;
  await actOnPostsOf(staff.app, staff.actor, idOf(staff), tickedIds(staff, "post"), act);
  return `${pathOf(staff)}?done=decided`;
};

export const accountPostPages = (pages: Server, app: App): void => {
  pages.get(PATH, staffPage(app, ["accounts.read"], show));
  pages.post(PATH, staffForm(app, ["accounts.read"], decide, show));
};
