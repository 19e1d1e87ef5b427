// What moderators write about an account for each other: a part of its page.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { HtmlValue } from "../../platform/text/html.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { may } from "../../domain/moderation/acts.ts";
import {
  addModerationNote,
  listModerationNotes,
  removeModerationNote,
} from "../../domain/moderation/moderation-notes.ts";
import { goTo, inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { staffForm } from "./forms.ts";
import { button, entered, enteredAt, form, idOf, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { accountLink, addPart } from "./parts.ts";

const ACCOUNTS = "/admin/accounts";
const READ = ["accounts.read"] as const;

/** To be read only: they are written on the page of the account. */
export const notesPart = async (staff: Staff, target: AccountView): Promise<HtmlValue> => {
  const { app, actor, t, language } = staff;
  const notes = await listModerationNotes(app, actor, target);
  if (notes.length === 0) return null;
  return html`<h2>${t("moderation.notes")}</h2>
    <ul class="rows">
      ${notes.map(
        ({ text, author, created_at: at }) =>
          html`<li>
            <div class="what">
              <span class="said">${text}</span>
              <span>${author && `@${author.username}, `}${whenText(at, language)}</span>
            </div>
          </li>`,
      )}
    </ul>`;
};

export const moderationNotesPart = async (
  context: Staff,
  target: AccountView,
): Promise<HtmlValue> => {
  const { app, actor, t, language } = context;
  const notes = await listModerationNotes(app, actor, target);
  const path = `${ACCOUNTS}/${target.id}/notes`;
  const text = enteredAt(context, path)["note"] ?? "";
  return html`<h2>${t("moderation.notes")}</h2>
    ${
      notes.length > 0 &&
      html`<ul class="rows">
        ${notes.map(
          (note) =>
            html`<li>
              <div class="what">
                <strong
                  >${note.author ? accountLink(app.config.site, note.author) : t("moderation.notes.gone")}</strong
                >
                <span class="said">${note.text}</span>
                <span>${whenText(note.created_at, language)}</span>
              </div>
              ${
                note.mayRemove &&
                button(context, {
                  action: `/admin/notes/${note.id}/delete`,
                  label: t("moderation.notes.remove"),
                  of: t("moderation.notes.this"),
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
        t("moderation.notes.write"),
        text !== "",
        form(
          context,
          path,
          html`${inputField({
              name: "note",
              label: t("moderation.notes.note"),
              type: "textarea",
              value: text,
              maxlength: 5000,
              hint: t("moderation.notes.hint"),
            })} <button class="button inline">${t("staff.save")}</button>`,
        ),
      )
    }`;
};

export const moderationNoteForms = (pages: Server, app: App, show: Show): void => {
  const add = async (context: Staff): Promise<string> => {
    const id = idOf(context);
    await addModerationNote(app, context.actor, id, entered(context)["note"] ?? "");
    return `${ACCOUNTS}/${id}?done=note`;
  };
  const remove = async (context: Staff) => {
    const id = await removeModerationNote(app, context.actor, idOf(context));
    return goTo(context.reply, `${ACCOUNTS}/${id}?done=unsaid`);
  };
  pages.post(`${ACCOUNTS}/:id/notes`, staffForm(app, READ, add, show));
  pages.post("/admin/notes/:id/delete", staffPage(app, READ, remove));
};
