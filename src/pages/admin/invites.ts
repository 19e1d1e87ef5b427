// Lists invitations for the staff: who made them, how often they were used, and how to end them.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import { endInviteAs } from "../../domain/staff/moderation/invites.ts";
import { isOver, listInvites } from "../../domain/people/users/invites.ts";
import { sentence } from "../../platform/text/texts.ts";
import { useText } from "../../domain/people/users/pages/invites.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { formsOf } from "./forms.ts";
import { button, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show } from "./frame.ts";
import { badge, empty } from "./components.ts";

const INVITES = "/admin/invites";
const ACTS = ["invites.manage"] as const;
const LIMIT = 60;

const DONE = { ended: "moderation.invites.ended" } as const;

const show: Show = async (context, problem) => {
  const { app, t, language } = context;
  const rows = await listInvites(app, null, pageOf(context, LIMIT));
  const ids = rows.map(({ id }) => id);
  return sendAdmin(context, {
    title: t("staff.section.invitations"),
    problem,
    done: DONE,
    body: html`<p>
        ${sentence(t, "moderation.invites.about", {
          settings: html`<a href="/settings/invites">${t("moderation.invites.settings")}</a>`,
          roles: html`<a href="/admin/roles">${t("staff.section.roles")}</a>`,
        })}
      </p>
      ${
        rows.length === 0
          ? empty(t("moderation.invites.none"))
          : html`<ul class="rows">
              ${rows.map(
                (row) =>
                  html`<li>
                    <div class="what">
                      <strong
                        ><a href="/admin/accounts/${row.account_id}">@${row.username}</a>
                        ${isOver(app, row) ? badge(t("moderation.invites.over")) : badge(t("moderation.invites.works"), "good")}</strong
                      >
                      <span
                        >${sentence(t, "invites.line", { uses: useText(t, row), time: whenText(row.created_at, language) })}</span
                      >
                      ${row.expires_at && html`<span>${sentence(t, "invites.until", { time: whenText(row.expires_at, language) })}</span>`}
                    </div>
                    ${
                      !isOver(app, row) &&
                      button(context, {
                        action: `${INVITES}/${row.id}/end`,
                        label: t("moderation.invites.end"),
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
