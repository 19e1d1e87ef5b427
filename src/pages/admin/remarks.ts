// What moderators write about an account for each other: a part of its page.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { HtmlValue } from "../../platform/text/html.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { may } from "../../domain/moderation/acts.ts";
import { addRemark, listRemarks, removeRemark } from "../../domain/moderation/remarks.ts";
import { goTo, inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { button, entered, enteredAt, form, idOf, staffForm, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { accountLink, addPart } from "./parts.ts";

const ACCOUNTS = "/admin/accounts";
const READ = ["accounts.read"] as const;

export const remarksPart = async (asked: Staff, target: AccountView): Promise<HtmlValue> => {
  const { app, actor } = asked;
  const remarks = await listRemarks(app, actor, target);
  const path = `${ACCOUNTS}/${target.id}/remarks`;
  const given = enteredAt(asked, path)["remark"] ?? "";
  return html`<h2>Remarks</h2>
    ${
      remarks.length > 0 &&
      html`<ul class="rows">
        ${remarks.map(
          (remark) =>
            html`<li>
              <div class="what">
                <strong
                  >${remark.author ? accountLink(app.config.site, remark.author) : "Somebody who left"}</strong
                >
                <span class="said">${remark.text}</span>
                <span>${whenText(remark.created_at)}</span>
              </div>
              ${
                remark.mayRemove &&
                button(asked, {
                  action: `/admin/remarks/${remark.id}/delete`,
                  label: "Remove",
                  of: "this remark",
                  kind: "bad",
                })
              }
            </li>`,
        )}
      </ul>`
    }
    ${
      may(actor, "accounts.remark", target) &&
      addPart(
        "Write a remark",
        given !== "",
        form(
          asked,
          path,
          html`${inputField({
              name: "remark",
              label: "Remark",
              type: "textarea",
              value: given,
              maxlength: 5000,
              hint: "Only the staff reads it.",
            })} <button class="button inline">Save</button>`,
        ),
      )
    }`;
};

export const remarkForms = (pages: Server, app: App, show: Show): void => {
  const add = async (asked: Staff): Promise<string> => {
    const id = idOf(asked);
    await addRemark(app, asked.actor, id, entered(asked)["remark"] ?? "");
    return `${ACCOUNTS}/${id}?done=remark`;
  };
  const remove = async (asked: Staff) => {
    const id = await removeRemark(app, asked.actor, idOf(asked));
    return goTo(asked.reply, `${ACCOUNTS}/${id}?done=unsaid`);
  };
  pages.post(`${ACCOUNTS}/:id/remarks`, staffForm(app, READ, add, show));
  pages.post("/admin/remarks/:id/delete", staffPage(app, READ, remove));
};
