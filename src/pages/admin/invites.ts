// Invitations for the staff: who made them, how often they were used, and their end.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import { endInviteAs } from "../../domain/moderation/invites.ts";
import { isOver, listInvites } from "../../domain/people/invites.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { useText } from "../../domain/people/pages/invites.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { formsOf } from "./forms.ts";
import { button, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show } from "./frame.ts";
import { badge, empty } from "./parts.ts";

const INVITES = "/admin/invites";
const ACTS = ["invites.manage"] as const;
const LIMIT = 60;

const DONE = { ended: "The invitation no longer works." };

const show: Show = async (context, problem) => {
  const { app } = context;
  const rows = await listInvites(app, null, pageOf(context, LIMIT));
  const ids = rows.map(({ id }) => id);
  return sendAdmin(context, {
    title: "Invitations",
    problem,
    done: DONE,
    body: html`<p>
        People make invitations in <a href="/settings/invites">their settings</a>. Who may is a
        permission of <a href="/admin/roles">roles</a>.
      </p>
      ${
        rows.length === 0
          ? empty("Nobody has made an invitation.")
          : html`<ul class="rows">
              ${rows.map(
                (row) =>
                  html`<li>
                    <div class="what">
                      <strong
                        ><a href="/admin/accounts/${row.account_id}">@${row.username}</a>
                        ${isOver(app, row) ? badge("over") : badge("works", "good")}</strong
                      >
                      <span
                        >${useText(textsIn("en").t, row)}, made ${whenText(row.created_at)}</span
                      >
                      ${row.expires_at && html`<span>Until ${whenText(row.expires_at)}</span>`}
                    </div>
                    ${
                      !isOver(app, row) &&
                      button(context, {
                        action: `${INVITES}/${row.id}/end`,
                        label: "End",
                        of: row.code,
                        kind: "bad",
                      })
                    }
                  </li>`,
              )}
            </ul>`
      }
      ${olderLink(context, ids, LIMIT)}`,
  });
};

export const inviteListPages = (pages: Server, app: App): void => {
  pages.get(INVITES, staffPage(app, ACTS, show));
  formsOf(
    pages,
    app,
    INVITES,
    ACTS,
    show,
  )(`${INVITES}/:id/end`, "ended", (context) => endInviteAs(app, context.actor, idOf(context)));
};
