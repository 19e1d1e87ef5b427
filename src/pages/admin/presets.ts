// Prepared texts that can be chosen where a decision gives a reason.

import type { Field } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { getPreset } from "../../domain/reading/strikes/strikes.ts";
import type { PresetRow } from "../../domain/reading/strikes/strikes.ts";
import { byName } from "../../../texts/lists.ts";
import type { Texts } from "../../platform/text/texts.ts";

export const presetField = ({ language }: Texts, presets: readonly PresetRow[]): Field | false =>
  presets.length > 0 && {
    name: "preset",
    label: "moderation.prepared_text",
    options: [
      ["", "moderation.no_text"],
      ...byName(language, presets, ({ title, text }) => title || text).map(
        ({ id, title, text }) => [id, { plain: title || text.slice(0, 60) }] as const,
      ),
    ],
  };

/** Returns "" for none. */
export const presetText = async (app: App, id: string | undefined): Promise<string> =>
  id ? (await getPreset(app, id)).text : "";
