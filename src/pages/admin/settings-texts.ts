// Edits texts of the staff: the terms of service, and prepared texts for warnings.

import type { App } from "../../platform/app.ts";
import { isoDate } from "../../platform/ids/index.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import { allTerms, publishTerms } from "../../domain/about/instance/terms.ts";
import type { TermsRow } from "../../domain/about/instance/terms.ts";
import { createPreset, deletePreset } from "../../domain/staff/moderation/server.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { dayText } from "../../domain/people/users/pages/when.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { staffForm } from "./forms.ts";
import { button, entered, enteredAt, form, idOf, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { checkbox, empty } from "./components.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";

const TERMS = `${SETTINGS}/terms`;
const TEXTS = `${SETTINGS}/texts`;

const termsItem = ({ t, language }: Staff, { effective_date: day }: TermsRow): Html =>
  html`<li>
    <div class="what">
      <strong
        ><a href="/terms-of-service/${day}"
          >${sentence(t, "staff.terms.from", { day: dayText(day, language) })}</a
        ></strong
      >
    </div>
  </li>`;

const showTerms = async (context: Staff, problem?: string) => {
  const { app, t } = context;
  const terms = await allTerms(app);
  const { day = isoDate(app.clock.now()), text = "", tell } = enteredAt(context, TERMS);
  const isRefused = problem !== undefined;
  return sendSettingsPage(context, "terms", {
    problem,
    body: html`<p>${t("staff.terms.about")}</p>
      ${
        terms.length === 0
          ? empty(t("staff.terms.none"))
          : html`<ul class="rows">
              ${terms.toReversed().map((row) => termsItem(context, row))}
            </ul>`
      }
      <section class="panel">
        <h2>${t("staff.terms.publish")}</h2>
        ${form(
          context,
          TERMS,
          html`${inputField({ name: "day", label: t("staff.terms.day"), type: "date", value: day })}
            ${inputField({ name: "text", label: t("staff.terms.text"), type: "textarea", value: text, maxlength: 200_000, hint: t("staff.terms.text_hint") })}
            <div class="choices">
              ${checkbox("tell", t("staff.terms.tell"), !isRefused || tell === "1")}
            </div>
            <button class="button inline">${t("staff.publish")}</button>`,
        )}
      </section>`,
  });
};

const takeTerms = async (context: Staff) => {
  const { day = "", text = "", tell } = entered(context);
  await publishTerms(context.app, context.actor, day, text, tell === "1");
  return `${TERMS}?done=published`;
};

const showTexts = async (context: Staff, problem?: string) => {
  const { t } = context;
  const presets = await listPresets(context.app);
  const { title = "", text = "" } = enteredAt(context, TEXTS);
  return sendSettingsPage(context, "texts", {
    problem,
    body: html`<p>${t("staff.texts.about")}</p>
      ${
        presets.length > 0 &&
        html`<ul class="rows">
          ${presets.map(
            (row) =>
              html`<li>
                <div class="what">
                  ${row.title && html`<strong>${row.title}</strong>`}<span>${row.text}</span>
                </div>
                ${button(context, { action: `${TEXTS}/${row.id}/delete`, label: t("staff.remove"), of: row.title, kind: "bad" })}
              </li>`,
          )}
        </ul>`
      }
      <section class="panel">
        <h2>${t("staff.texts.add")}</h2>
        ${form(
          context,
          TEXTS,
          html`${inputField({ name: "title", label: t("staff.texts.title"), value: title, optional: true, maxlength: 200 })}
            ${inputField({ name: "text", label: t("staff.texts.text"), type: "textarea", value: text, maxlength: 5000 })}
            <button class="button inline">${t("staff.add")}</button>`,
        )}
      </section>`,
  });
};

const takeText = async (context: Staff) => {
  const { title = "", text = "" } = entered(context);
  await createPreset(context.app, context.actor, title, text);
  return `${TEXTS}?done=added`;
};

const removeText = async (context: Staff) => {
  await deletePreset(context.app, context.actor, idOf(context));
  return `${TEXTS}?done=removed`;
};

export const settingTextPages = (pages: Server, app: App): void => {
  pages.get(TERMS, staffPage(app, SETTINGS_ACTS, showTerms));
  pages.post(TERMS, staffForm(app, SETTINGS_ACTS, takeTerms, showTerms));
  pages.get(TEXTS, staffPage(app, SETTINGS_ACTS, showTexts));
  pages.post(TEXTS, staffForm(app, SETTINGS_ACTS, takeText, showTexts));
  pages.post(`${TEXTS}/:id/delete`, staffForm(app, SETTINGS_ACTS, removeText, showTexts));
};
