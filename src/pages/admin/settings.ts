// The settings of the server, a page for each topic. Every setting says its value while it is not set, and whether its
// present value was set here, comes from the environment or is the default.

import type { Field, Inline, Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { requireAsDrawn } from "../../platform/drawn.ts";
import type { Server } from "../../platform/http/server.ts";
import type { Say } from "../../platform/text/texts.ts";
import { changeSettings } from "../../domain/staff/moderation/server.ts";
import { definitionOf, valueOf } from "../../domain/base/settings/definitions.ts";
import type { PublicName, SettingValue } from "../../domain/base/settings/definitions.ts";
import { allSettings } from "../../domain/base/settings/settings.ts";
import type { Settings } from "../../domain/base/settings/settings.ts";
import { drawnIn, drawnWith, staffForm } from "./forms.ts";
import { entered, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { noMailNotice } from "./no-mail.ts";
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

/** Says where the value comes from, unless it is empty. */
const originOf = (t: Say, name: PublicName, value: SettingValue): Inline => {
  const initial = initialText(t, name, value);
  if (value.origin === "environment")
    return { say: "staff.origin.environment", with: { variable: { code: value.variable ?? "" } } };
  if (value.origin !== "default") return t("staff.origin.set", { value: initial });
  const isEmpty = value.initial === "" && name !== "privacy_policy";
  return isEmpty ? null : t("staff.origin.default", { value: initial });
};

const TYPES = { colour: "color", line: undefined, number: undefined, text: "textarea" } as const;

const fieldOf = (t: Say, name: PublicName): Field => {
  const { input } = definitionOf(name);
  const field = { name, label: `staff.setting.${name}` } as const;
  if (input === "flag") return { ...field, isBox: true };
  if (typeof input !== "string") {
    const options = input.map((word) => [word, { plain: choiceText(t, word) }] as const);
    return { ...field, as: "radios", options };
  }
  const type = TYPES[input];
  return {
    ...field,
    hint: `staff.setting_hint.${name}`,
    optional: true,
    ...(type && { type }),
    ...(input === "number" && { inputmode: "numeric" as const }),
  };
};

const settingPart = (t: Say, name: PublicName, value: SettingValue): Part => {
  const { input } = definitionOf(name);
  const isFlag = input === "flag";
  const isSet = value.origin !== "default" && value.origin !== "environment";
  return {
    setting: {
      field: fieldOf(t, name),
      values: { [name]: isFlag ? value.text === "true" : value.text },
      isFlag,
      // Other fields have theirs between label and input.
      hint: isFlag || typeof input !== "string" ? `staff.setting_hint.${name}` : null,
      origin: originOf(t, name, value),
      reset: isSet
        ? { name, label: ["staff.origin.reset_of", { name: t(`staff.setting.${name}`) }] }
        : undefined,
    },
  };
};

const variablesPart = ({ t, app }: Staff, { variables }: Topic): Part | false =>
  variables.length > 0 && {
    panel: [
      { heading: "staff.environment.title" },
      { text: t("staff.environment.about"), isSoft: true },
      {
        facts: variables.map(([name, about, value]) => [
          about,
          [value(app.config, t), { soft: { code: name } }],
        ]),
      },
    ],
  };

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

/** Returns what the form of a topic shows. */
const shownOf = ({ app }: Staff, topic: TopicName, values: Partial<Settings>) =>
  Object.fromEntries(
    TOPICS[topic].settings.map((name) => [name, valueOf(name, values, app.config).text]),
  );

export const topicForms = (context: Staff, topic: TopicName, values: Partial<Settings>): Part[] => {
  const { app, t } = context;
  const { settings } = TOPICS[topic] as Topic;
  const before = settings.map((name) => settingPart(t, name, valueOf(name, values, app.config)));
  const form = drawnWith(context, `${SETTINGS}/${topic}`, shownOf(context, topic, values));
  return [{ form: { ...form, before, fields: [] } }, { resets: form.action }];
};

const showTopic =
  (topic: TopicName): Show =>
  async (context) =>
    sendSettingsPage(context, topic, [
      topic === "registrations" && (await noMailNotice(context)),
      {
        panel: topicForms(context, topic, await allSettings(context.app)),
        label: `staff.topic.${topic}`,
      },
      variablesPart(context, TOPICS[topic]),
    ]);

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
  const sent = textsOf(context, settings);
  requireAsDrawn(shownOf(context, topic, values), drawnIn(context), sent);
  const isOther = ([name, text]: [string, string]): boolean =>
    name === DECIDED || text !== valueOf(name as PublicName, values, app.config).text;
  const texts = Object.entries(sent).filter(isOther);
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
