// Serves the page on which a person lets the server delete their old posts.

import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import type { Say } from "../../../platform/text/texts.ts";
import { readTexts } from "../../people/oauth/parameters.ts";
import { formField } from "../../people/users/pages/cookies.ts";
import { askedAsMember, doneNote, sendSettings } from "../../people/users/pages/member.ts";
import type { PageContext } from "../../people/users/pages/member.ts";
import { faultsOf, goTo, inputField } from "../../people/users/pages/components.ts";
import type { Faults } from "../../people/users/pages/components.ts";
import { AGES, DEFAULT_POLICY, getPolicy, setPolicy } from "./clean-up.ts";
import { KEEPS } from "./tables.ts";
import type { Keep, Policy } from "./tables.ts";

const PATH = "/settings/cleanup";

const DONE = { on: "cleanup.on", off: "cleanup.off" } as const;

const box = (name: string, label: string, on: boolean): Html =>
  html`<div class="check">
    <input type="checkbox" id="${name}" name="${name}" value="1" ${on && raw("checked ")} />
    <label for="${name}">${label}</label>
  </div>`;

const numberField = (
  t: Say,
  name: "min_favourites" | "min_reblogs",
  value: number | null,
  faults: Faults,
): Html =>
  inputField({
    name,
    label: t(`cleanup.${name}`),
    value: value === null || Number.isNaN(value) ? "" : String(value),
    hint: t("cleanup.empty_hint"),
    fault: faults[name],
    optional: true,
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 7,
  });

const show = async (context: PageContext, draft?: Policy, faults: Faults = {}) => {
  const { app, request, reply, who, t } = context;
  const stored = draft ?? (await getPolicy(app, who.accountId));
  const policy = stored ?? DEFAULT_POLICY;
  return sendSettings(reply, {
    title: t("cleanup.title"),
    status: draft ? 422 : 200,
    body: html`${doneNote(request, DONE)}
      <p>${t("cleanup.about")}</p>
      <form method="post" action="${PATH}">
        ${formField(app, request, reply)}
        <div class="checks">${box("enabled", t("cleanup.enabled"), stored !== null)}</div>
        <div class="field">
          <label for="min_days">${t("cleanup.older")}</label>
          <select id="min_days" name="min_days">
            ${AGES.map(
              (days) =>
                html`<option value="${days}" ${days === policy.min_days && raw("selected ")}>
                  ${t(`cleanup.age_${days}`)}
                </option>`,
            )}
          </select>
        </div>
        <fieldset class="checks">
          <legend>${t("cleanup.keep")}</legend>
          ${KEEPS.map((name) => box(name, t(`cleanup.${name}`), policy[name]))}
        </fieldset>
        ${numberField(t, "min_favourites", policy.min_favourites, faults)}
        ${numberField(t, "min_reblogs", policy.min_reblogs, faults)}
        <button class="button">${t("cleanup.save")}</button>
      </form>`,
  });
};

const numberOf = (text = ""): number | null => (text.trim() === "" ? null : Number(text));

const take = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const texts = readTexts(request.body);
  const keeps = Object.fromEntries(KEEPS.map((name) => [name, texts[name] === "1"]));
  const policy: Policy = {
    ...(keeps as Record<Keep, boolean>),
    min_days: Number(texts["min_days"]),
    min_favourites: numberOf(texts["min_favourites"]),
    min_reblogs: numberOf(texts["min_reblogs"]),
  };
  const isOn = texts["enabled"] === "1";
  try {
    await setPolicy(app, who.accountId, isOn ? policy : null);
  } catch (error) {
    const faults = faultsOf(context.t, error);
    if (!faults) throw error;
    return show(context, policy, faults);
  }
  return goTo(reply, `${PATH}?done=${isOn ? "on" : "off"}`);
};

export const cleanupPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    pages.get(
      PATH,
      page((context) => show(context)),
    );
    pages.post(PATH, page(take));
  };
