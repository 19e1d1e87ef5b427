// The settings of the server in groups, the terms of service, and prepared texts for warnings.

import type { App } from "../../platform/app.ts";
import { isoDate } from "../../platform/ids/index.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { allTerms, publishTerms } from "../../domain/instance/terms.ts";
import { changeSettings, createPreset, deletePreset } from "../../domain/moderation/server.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { definitionOf } from "../../domain/settings/definitions.ts";
import type { PublicName } from "../../domain/settings/definitions.ts";
import { allSettings, DEFAULT_REGISTRATIONS } from "../../domain/settings/settings.ts";
import { listPresets } from "../../domain/strikes/strikes.ts";
import { staffForm } from "./forms.ts";
import { button, entered, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
import type { Staff } from "./frame.ts";
import { empty, select, tabs } from "./parts.ts";

const SETTINGS = "/admin/settings";
const ACTS = ["settings.write"] as const;

type Group = { title: string; fields: readonly (readonly [PublicName, string])[] };

export const GROUPS: Record<string, Group> = {
  server: {
    title: "Server",
    fields: [
      ["title", "Name"],
      ["description", "Short description"],
      ["extended_description", "About this server"],
      ["thumbnail_url", "Banner image"],
      ["thumbnail_description", "Description of the banner image"],
      ["contact_email", "Contact email address"],
      ["contact_account", "Contact account"],
      ["status_page_url", "Status page"],
    ],
  },
  registrations: {
    title: "Registrations",
    fields: [
      ["registrations", "Who can sign up"],
      ["registrations_message", "Message while sign-ups are closed"],
      ["min_age", "Minimum age"],
      ["reserved_names", "Reserved usernames"],
    ],
  },
  discovery: {
    title: "Discovery",
    fields: [
      ["trends", "Trends"],
      ["trendable_by_default", "Trends without review"],
      ["trends_as_landing_page", "Trends on the front page"],
      ["profile_directory", "Profile directory"],
      ["languages_by_locale", "Languages of public timelines"],
      ["default_quote_policy", "Who can quote posts"],
      ["peers_api", "List of known servers"],
      ["activity_api", "Activity statistics"],
      ["show_domain_blocks", "List of blocked servers"],
      ["show_domain_blocks_rationale", "Reasons of blocks"],
    ],
  },
  legal: { title: "Privacy policy", fields: [["privacy_policy", "Privacy policy"]] },
};

const TABS: [string, string][] = [
  ...Object.entries(GROUPS).map(([name, { title }]): [string, string] => [
    `${SETTINGS}/${name}`,
    title,
  ]),
  [`${SETTINGS}/terms`, "Terms of service"],
  [`${SETTINGS}/texts`, "Prepared texts"],
];

const WORDS: Record<string, string> = {
  true: "Yes",
  false: "No",
  open: "Everybody",
  approved: "Everybody, after approval",
  closed: "Nobody",
  disabled: "Nobody",
  users: "People on this server",
  all: "Everybody",
  public: "Everybody",
  followers: "Followers",
  nobody: "Nobody",
};

/** Of what was never set, where the setting is chosen from a list. */
const DEFAULTS: Partial<Record<PublicName, string>> = {
  registrations: DEFAULT_REGISTRATIONS,
  trends: "true",
  trendable_by_default: "false",
  trends_as_landing_page: "false",
  profile_directory: "true",
  languages_by_locale: "true",
  default_quote_policy: "public",
  peers_api: "true",
  activity_api: "true",
  show_domain_blocks: "disabled",
  show_domain_blocks_rationale: "disabled",
};

const byDefault = (name: PublicName) => {
  const word = DEFAULTS[name];
  return { value: "", label: word ? `Default (${WORDS[word]})` : "Default" };
};

const field = (name: PublicName, label: string, value: string): Html => {
  const { input, help } = definitionOf(name);
  const hint = help.replace(/ \((?!plain text)[^)]*\)$/, "");
  if (input === "flag" || typeof input !== "string") {
    const words = input === "flag" ? ["true", "false"] : input;
    const options = words.map((word) => ({ value: word, label: WORDS[word] ?? word }));
    return select(name, label, [byDefault(name), ...options], value, { hint });
  }
  return inputField({
    name,
    label,
    value,
    hint,
    optional: true,
    type: input === "text" ? "textarea" : "text",
    ...(input === "number" && { inputmode: "numeric" as const }),
  });
};

const stored = async (app: App): Promise<Partial<Record<string, string>>> => {
  const values = Object.entries(await allSettings(app));
  const named = new Set(
    Object.values(GROUPS).flatMap(({ fields }) => fields.map(([name]) => name)),
  );
  return Object.fromEntries(
    values.flatMap(([name, value]) =>
      named.has(name as PublicName) ? [[name, definitionOf(name).show(value)]] : [],
    ),
  );
};

const DONE = {
  saved: "The settings have been saved.",
  published: "The terms of service have been published.",
  added: "The text has been added.",
  removed: "The text has been removed.",
};

const showGroup = (name: string) => async (context: Staff, problem?: string) => {
  const { title, fields } = GROUPS[name]!;
  const values = { ...(await stored(context.app)), ...(problem && entered(context)) };
  const path = `${SETTINGS}/${name}`;
  return sendAdmin(context, {
    title: "Settings",
    problem,
    done: DONE,
    body: html`${tabs("Settings", path, TABS)}
      ${name === "registrations" && (await noMailNotice(context.app))}
      <section class="panel" aria-label="${title}">
        ${form(
          context,
          path,
          html`${fields.map(([setting, label]) => field(setting, label, values[setting] ?? ""))}
            <button class="button inline">Save</button>`,
        )}
      </section>`,
  });
};

const saveGroup = (name: string) => async (context: Staff) => {
  const fields = entered(context);
  const texts = GROUPS[name]!.fields.flatMap(([setting]) =>
    fields[setting] === undefined ? [] : [[setting, fields[setting]]],
  );
  await changeSettings(context.app, context.actor, Object.fromEntries(texts));
  return `${SETTINGS}/${name}?done=saved`;
};

const TERMS = `${SETTINGS}/terms`;

const showTerms = async (context: Staff, problem?: string) => {
  const { app } = context;
  const terms = await allTerms(app);
  const { day = isoDate(app.clock.now()), text = "" } = entered(context);
  return sendAdmin(context, {
    title: "Settings",
    problem,
    done: DONE,
    body: html`${tabs("Settings", TERMS, TABS)}
      ${
        terms.length === 0
          ? empty(
              "There are no terms of service. People agree to the rules and the privacy policy.",
            )
          : html`<ul class="rows">
              ${terms.toReversed().map(
                (row) =>
                  html`<li>
                    <div class="what">
                      <strong
                        ><a href="/terms-of-service/${row.effective_date}"
                          >In force from ${row.effective_date}</a
                        ></strong
                      >
                    </div>
                  </li>`,
              )}
            </ul>`
      }
      <section class="panel">
        <h2>Publish a version</h2>
        ${form(
          context,
          TERMS,
          html`<div class="field">
              <label for="day">In force from</label>
              <input type="date" id="day" name="day" value="${day}" required />
            </div>
            ${inputField({ name: "text", label: "Text", type: "textarea", value: text, maxlength: 200_000, hint: "Plain text or HTML. A version of the same day is replaced." })}
            <button class="button inline">Publish</button>`,
        )}
      </section>`,
  });
};

const takeTerms = async (context: Staff) => {
  const { day = "", text = "" } = entered(context);
  await publishTerms(context.app, context.actor, day, text);
  return `${TERMS}?done=published`;
};

const TEXTS = `${SETTINGS}/texts`;

const showTexts = async (context: Staff, problem?: string) => {
  const presets = await listPresets(context.app);
  const { title = "", text = "" } = entered(context);
  return sendAdmin(context, {
    title: "Settings",
    problem,
    done: DONE,
    body: html`${tabs("Settings", TEXTS, TABS)}
      <p>Moderators choose these texts when they warn or limit somebody.</p>
      ${
        presets.length > 0 &&
        html`<ul class="rows">
          ${presets.map(
            (row) =>
              html`<li>
                <div class="what"><strong>${row.title}</strong><span>${row.text}</span></div>
                ${button(context, { action: `${TEXTS}/${row.id}/delete`, label: "Remove", of: row.title, kind: "bad" })}
              </li>`,
          )}
        </ul>`
      }
      <section class="panel">
        <h2>Add a text</h2>
        ${form(
          context,
          TEXTS,
          html`${inputField({ name: "title", label: "Title", value: title, optional: true, maxlength: 200 })}
            ${inputField({ name: "text", label: "Text", type: "textarea", value: text, maxlength: 5000 })}
            <button class="button inline">Add</button>`,
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

export const settingPages = (pages: Server, app: App): void => {
  pages.get(SETTINGS, staffPage(app, ACTS, showGroup("server")));
  for (const name of Object.keys(GROUPS)) {
    const path = `${SETTINGS}/${name}`;
    pages.get(path, staffPage(app, ACTS, showGroup(name)));
    pages.post(path, staffForm(app, ACTS, saveGroup(name), showGroup(name)));
  }
  pages.get(TERMS, staffPage(app, ACTS, showTerms));
  pages.post(TERMS, staffForm(app, ACTS, takeTerms, showTerms));
  pages.get(TEXTS, staffPage(app, ACTS, showTexts));
  pages.post(TEXTS, staffForm(app, ACTS, takeText, showTexts));
  pages.post(`${TEXTS}/:id/delete`, staffForm(app, ACTS, removeText, showTexts));
};
