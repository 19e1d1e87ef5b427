// Edits texts of the staff: the terms of service, and prepared texts for warnings.

import { isoDate } from "../../platform/ids/index.ts";
import { allTerms, publishTerms } from "../../domain/about/instance/terms.ts";
import { createPreset, deletePreset } from "../../domain/staff/moderation/server.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { text, lines, removal } from "./page-parts.ts";
import { onEntry, pageWithForms } from "./forms.ts";
import { entered } from "./frame.ts";
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

const publish = (context: Staff): Promise<unknown> => {
  const { day = "", text = "", tell } = entered(context);
  return publishTerms(context.app, context.actor, day, text, tell === "1");
};

export const termPages = pageWithForms({ path: TERMS, read: SETTINGS_ACTS, show: showTerms }, [
  ["", "staff.terms.published", publish],
]);

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

const addText = (context: Staff): Promise<unknown> => {
  const { title = "", text = "" } = entered(context);
  return createPreset(context.app, context.actor, title, text);
};

export const presetPages = pageWithForms({ path: TEXTS, read: SETTINGS_ACTS, show: showTexts }, [
  ["", "staff.texts.added", addText],
  ["/:id/delete", "staff.texts.removed", onEntry(deletePreset)],
]);
