// Edits texts of the staff: the terms of service, and prepared texts for warnings.

import type { App } from "../../platform/app.ts";
import { isoDate } from "../../platform/ids/index.ts";
import type { Server } from "../../platform/http/server.ts";
import { allTerms, publishTerms } from "../../domain/about/instance/terms.ts";
import { createPreset, deletePreset } from "../../domain/staff/moderation/server.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { text, lines, removal } from "./page-parts.ts";
import { staffForm } from "./forms.ts";
import { entered, idOf, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { SETTINGS, SETTINGS_ACTS, sendSettingsPage } from "./settings-frame.ts";
import { byName } from "../../../texts/lists.ts";

const TERMS = `${SETTINGS}/terms`;
const TEXTS = `${SETTINGS}/texts`;

const showTerms: Show = async (context) => {
  const { app, t } = context;
  const terms = await allTerms(app);
  return sendSettingsPage(context, "terms", [
    { text: t("staff.terms.about") },
    {
      rows: terms.toReversed().map(({ effective_date: day }) => ({
        title: {
          link: `/terms-of-service/${day}`,
          text: { say: "staff.terms.from", with: { day: { day: new Date(day) } } },
        },
      })),
      none: "staff.terms.none",
    },
    {
      panel: [
        { heading: "staff.terms.publish" },
        {
          form: {
            action: TERMS,
            fields: [
              { name: "day", label: "staff.terms.day", type: "date" },
              lines("text", "staff.terms.text", 200_000, { hint: "staff.terms.text_hint" }),
              { boxes: [{ name: "tell", label: "staff.terms.tell" }] },
            ],
            values: { day: isoDate(app.clock.now()), tell: true },
            submit: "staff.publish",
          },
        },
      ],
    },
  ]);
};

const takeTerms = async (context: Staff) => {
  const { day = "", text = "", tell } = entered(context);
  await publishTerms(context.app, context.actor, day, text, tell === "1");
  return `${TERMS}?done=published`;
};

const showTexts: Show = async (context) => {
  const presets = await listPresets(context.app);
  return sendSettingsPage(context, "texts", [
    { text: context.t("staff.texts.about") },
    {
      rows: byName(context.language, presets, ({ title }) => title).map((row) => ({
        title: row.title,
        lines: [row.text],
        acts: [removal(`${TEXTS}/${row.id}`, row.title)],
      })),
    },
    {
      panel: [
        { heading: "staff.texts.add" },
        {
          form: {
            action: TEXTS,
            fields: [
              text("title", "staff.texts.title", 200, { optional: true }),
              lines("text", "staff.texts.text", 5000),
            ],
            submit: "staff.add",
          },
        },
      ],
    },
  ]);
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
