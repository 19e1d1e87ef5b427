// The page on which a person lets the server delete their old posts.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html, raw } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { readTexts } from "../oauth/parameters.ts";
import { formField } from "../people/pages/cookies.ts";
import { askedAsMember, doneNote, noteOf, sendSettings } from "../people/pages/member.ts";
import type { Asked } from "../people/pages/member.ts";
import { faultsOf, goTo, inputField } from "../people/pages/parts.ts";
import type { Faults } from "../people/pages/parts.ts";
import { AGES, DEFAULT_POLICY, getPolicy, setPolicy } from "./clean-up.ts";
import { KEEPS } from "./tables.ts";
import type { Keep, Policy } from "./tables.ts";

const PATH = "/settings/cleanup";

const AGE_NAMES: Record<number, string> = {
  7: "1 week",
  14: "2 weeks",
  30: "1 month",
  61: "2 months",
  91: "3 months",
  183: "6 months",
  365: "1 year",
  730: "2 years",
};

const KEEP_NAMES: Record<Keep, string> = {
  keep_pinned: "Pinned posts",
  keep_favourited: "Posts that you favourited yourself",
  keep_bookmarked: "Posts that you bookmarked yourself",
  keep_direct: "Private mentions",
  keep_polls: "Polls",
  keep_media: "Posts with pictures, videos or recordings",
};

const DONE = {
  on: "Saved. Old posts are deleted little by little from now on.",
  off: "Saved. Posts are no longer deleted automatically.",
};

const box = (name: string, label: string, on: boolean): Html =>
  html`<div class="check">
    <input type="checkbox" id="${name}" name="${name}" value="1" ${on && raw("checked ")} />
    <label for="${name}">${label}</label>
  </div>`;

const numberField = (name: string, label: string, value: number | null, faults: Faults): Html =>
  inputField({
    name,
    label,
    value: value === null || Number.isNaN(value) ? "" : String(value),
    hint: "Leave empty to delete posts however many there are.",
    fault: faults[name],
    optional: true,
    inputmode: "numeric",
    autocomplete: "off",
    maxlength: 7,
  });

const show = async (asked: Asked, given?: Policy, faults: Faults = {}) => {
  const { app, request, reply, who } = asked;
  const stored = given ?? (await getPolicy(app, who.accountId));
  const policy = stored ?? DEFAULT_POLICY;
  return sendSettings(reply, {
    title: "Automatic deletion",
    status: given ? 422 : 200,
    body: html`${noteOf(doneNote(request, DONE))}
      <p>
        Your posts and boosts can be deleted when they reach a certain age, here and on the servers
        that got them. Deleted posts cannot be brought back.
      </p>
      <form method="post" action="${PATH}">
        ${formField(app, request, reply)}
        <div class="checks">${box("enabled", "Delete my old posts", stored !== null)}</div>
        <div class="field">
          <label for="min_days">Older than</label>
          <select id="min_days" name="min_days">
            ${AGES.map(
              (days) =>
                html`<option value="${days}" ${days === policy.min_days && raw("selected ")}>
                  ${AGE_NAMES[days]}
                </option>`,
            )}
          </select>
        </div>
        <fieldset class="checks">
          <legend>Always keep</legend>
          ${KEEPS.map((name) => box(name, KEEP_NAMES[name], policy[name]))}
        </fieldset>
        ${numberField("min_favourites", "Keep posts with at least this many favourites", policy.min_favourites, faults)}
        ${numberField("min_reblogs", "Keep posts with at least this many boosts", policy.min_reblogs, faults)}
        <button class="button">Save</button>
      </form>`,
  });
};

const numberOf = (text = ""): number | null => (text.trim() === "" ? null : Number(text));

const take = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const given = readTexts(request.body);
  const keeps = Object.fromEntries(KEEPS.map((name) => [name, given[name] === "1"]));
  const policy: Policy = {
    ...(keeps as Record<Keep, boolean>),
    min_days: Number(given["min_days"]),
    min_favourites: numberOf(given["min_favourites"]),
    min_reblogs: numberOf(given["min_reblogs"]),
  };
  const isOn = given["enabled"] === "1";
  try {
    await setPolicy(app, who.accountId, isOn ? policy : null);
  } catch (error) {
    const faults = faultsOf(error);
    if (!faults) throw error;
    return show(asked, policy, faults);
  }
  return goTo(reply, `${PATH}?done=${isOn ? "on" : "off"}`);
};

export const cleanupPages =
  (app: App) =>
  (pages: Server): void => {
    const page = askedAsMember(app);
    pages.get(
      PATH,
      page((asked) => show(asked)),
    );
    pages.post(PATH, page(take));
  };
