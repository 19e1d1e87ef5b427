// The settings of the server, a page for each topic. Every setting says its value while it is not set, and whether its
// present value was set here, comes from the environment or is the default.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import type { Say } from "../../platform/text/texts.ts";
import { changeSettings } from "../../domain/staff/moderation/server.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import type { Faults } from "../../domain/people/users/pages/components.ts";
import { definitionOf, valueOf } from "../../domain/base/settings/definitions.ts";
import type { PublicName, SettingValue } from "../../domain/base/settings/definitions.ts";
import { allSettings } from "../../domain/base/settings/settings.ts";
import type { Settings } from "../../domain/base/settings/settings.ts";
import { staffForm } from "./forms.ts";
import { entered, form, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
import { checkbox, choices } from "./components.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";
import { TOPICS } from "./settings-topics.ts";
import type { Topic, TopicName } from "./settings-topics.ts";

/** Choices of settings that are one of several words, with their texts in the catalogue. */
const CHOICES = {
  open: "staff.choice.open",
  approved: "staff.choice.approved",
  closed: "staff.choice.closed",
  disabled: "staff.choice.disabled",
  users: "staff.choice.users",
  all: "staff.choice.all",
  public: "staff.choice.public",
  followers: "staff.choice.followers",
  nobody: "staff.choice.nobody",
  staff: "staff.choice.staff",
} as const;

const choiceText = (t: Say, word: string): string =>
  Object.hasOwn(CHOICES, word) ? t(CHOICES[word as keyof typeof CHOICES]) : word;

/** Returns a value in the words of its form. */
export const valueInWords = (t: Say, name: PublicName, value: string): string => {
  const { input } = definitionOf(name);
  if (input === "flag") return t(value === "true" ? "staff.on" : "staff.off");
  return typeof input === "string" ? value : choiceText(t, value);
};

/** Returns in words the value while it is not set. */
const initialText = (t: Say, name: PublicName, { initial }: SettingValue): string => {
  const { input } = definitionOf(name);
  if (input === "flag" || typeof input !== "string") return valueInWords(t, name, initial);
  return name === "privacy_policy"
    ? t("staff.default.privacy_policy")
    : initial || t("staff.default.nothing");
};

/** Says where the value comes from, unless it is empty; a value that was set here has a button to reset it. */
const originPart = (t: Say, name: PublicName, value: SettingValue): HtmlValue => {
  const initial = initialText(t, name, value);
  if (value.origin === "default" && value.initial === "" && name !== "privacy_policy") return null;
  if (value.origin === "default")
    return html`<p class="origin">${t("staff.origin.default", { value: initial })}</p>`;
  if (value.origin === "environment")
    return html`<p class="origin">
      ${sentence(t, "staff.origin.environment", { variable: html`<code>${value.variable}</code>` })}
    </p>`;
  const label = t("staff.origin.reset_of", { name: t(`staff.setting.${name}`) });
  return html`<p class="origin">
    ${t("staff.origin.set", { value: initial })}
    <button class="link-button" name="reset" value="${name}" aria-label="${label}" formnovalidate>
      ${t("staff.origin.reset")}
    </button>
  </p>`;
};

const flagField = (t: Say, name: PublicName, isOn: boolean): Html =>
  html`<input type="hidden" name="with_${name}" value="1" />
    ${checkbox(name, t(`staff.setting.${name}`), isOn)}
    <p class="hint">${t(`staff.setting_hint.${name}`)}</p>`;

const choiceField = (t: Say, name: PublicName, words: readonly string[], chosen: string): Html =>
  html`${choices(
      name,
      t(`staff.setting.${name}`),
      words.map((word) => ({ value: word, label: choiceText(t, word) })),
      chosen,
    )}
    <p class="hint">${t(`staff.setting_hint.${name}`)}</p>`;

const typeOf = (input: "line" | "text" | "number" | "colour") =>
  ({ line: "text", number: "text", text: "textarea", colour: "color" } as const)[input];

const control = (t: Say, name: PublicName, text: string, fault: string | undefined): Html => {
  const { input } = definitionOf(name);
  if (input === "flag") return flagField(t, name, text === "true");
  if (typeof input !== "string") return choiceField(t, name, input, text);
  return inputField({
    name,
    label: t(`staff.setting.${name}`),
    hint: t(`staff.setting_hint.${name}`),
    value: text,
    fault,
    optional: true,
    type: typeOf(input),
    ...(input === "number" && { inputmode: "numeric" as const }),
  });
};

/** `text` is what was entered, where it was refused. */
const field = (
  t: Say,
  name: PublicName,
  value: SettingValue,
  { text, fault }: { text: string | undefined; fault: string | undefined },
): Html =>
  html`<div class="setting">
    ${control(t, name, text ?? value.text, fault)} ${originPart(t, name, value)}
  </div>`;

const variablesPart = ({ t, app }: Staff, { variables }: Topic): HtmlValue =>
  variables.length > 0 &&
  html`<section class="panel">
    <h2>${t("staff.environment.title")}</h2>
    <p class="soft">${t("staff.environment.about")}</p>
    <dl class="details-list">
      ${variables.map(
        ({ name, about, value }) =>
          html`<dt>${t(about)}</dt>
            <dd>
              ${value(app.config, t)}
              <span class="soft small"><code>${name}</code></span>
            </dd>`,
      )}
    </dl>
  </section>`;

/** Returns the texts of a topic's form, in which unticked boxes are missing. */
const textsOf = (
  context: Staff,
  names: readonly PublicName[],
): Partial<Record<PublicName, string>> => {
  const fields = entered(context);
  return Object.fromEntries(
    names.flatMap((name) => {
      if (fields[`with_${name}`] === "1") return [[name, String(fields[name] === "1")]];
      return fields[name] === undefined ? [] : [[name, fields[name]]];
    }),
  );
};

export const topicForm = (
  context: Staff,
  topic: TopicName,
  values: Partial<Settings>,
  faults: Faults,
): Html => {
  const { app, t } = context;
  const action = `${SETTINGS}/${topic}`;
  const { settings } = TOPICS[topic] as Topic;
  // Refused values are shown again as entered.
  const texts = Object.keys(faults).length > 0 ? textsOf(context, settings) : {};
  const fields = settings.map((name) =>
    field(t, name, valueOf(name, values, app.config), { text: texts[name], fault: faults[name] }),
  );
  return form(
    context,
    action,
    html`${fields} <button class="button inline">${t("staff.save")}</button>`,
  );
};

const showTopic =
  (topic: TopicName) =>
  async (context: Staff, problem?: string, faults: Faults = {}) =>
    sendSettingsPage(context, topic, {
      problem,
      body: html`${topic === "registrations" && (await noMailNotice(context))}
        <section class="panel" aria-label="${context.t(`staff.topic.${topic}`)}">
          ${topicForm(context, topic, await allSettings(context.app), faults)}
        </section>
        ${variablesPart(context, TOPICS[topic])}`,
    });

/** Setting that counts as decided even when it is saved unchanged (first steps). */
const DECIDED: PublicName = "registrations";

export const saveTopic = (topic: TopicName) => async (context: Staff) => {
  const { app, actor } = context;
  const { settings } = TOPICS[topic] as Topic;
  const { reset } = entered(context);
  const back = settings.find((name) => name === reset);
  if (back) {
    await changeSettings(app, actor, { [back]: "" });
    return `${SETTINGS}/${topic}?done=reset`;
  }
  const values = await allSettings(app);
  const isOther = ([name, text]: [string, string]): boolean =>
    name === DECIDED || text !== valueOf(name as PublicName, values, app.config).text;
  const texts = Object.entries(textsOf(context, settings)).filter(isOther);
  await changeSettings(app, actor, Object.fromEntries(texts));
  return `${SETTINGS}/${topic}?done=saved`;
};

export const settingPages = (pages: Server, app: App): void => {
  pages.get(SETTINGS, staffPage(app, SETTINGS_ACTS, showTopic("general")));
  for (const topic of Object.keys(TOPICS) as TopicName[]) {
    // This page has more than its form (settings-look.ts).
    if (topic === "look") continue;
    const path = `${SETTINGS}/${topic}`;
    pages.get(path, staffPage(app, SETTINGS_ACTS, showTopic(topic)));
    pages.post(path, staffForm(app, SETTINGS_ACTS, saveTopic(topic), showTopic(topic)));
  }
};
