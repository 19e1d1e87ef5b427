// Prepared texts that can be chosen where a decision gives a reason.

import type { App } from "../../platform/app.ts";
import type { HtmlValue } from "../../platform/text/html.ts";
import { getPreset } from "../../domain/reading/strikes/strikes.ts";
import type { PresetRow } from "../../domain/reading/strikes/strikes.ts";
import type { Staff } from "./frame.ts";
import { select } from "./components.ts";

export const presetChoice = (
  { t }: Staff,
  presets: readonly PresetRow[],
  chosen: string | undefined,
): HtmlValue =>
  presets.length > 0 &&
  select(
    "preset",
    t("moderation.prepared_text"),
    [
      { value: "", label: t("moderation.no_text") },
      ...presets.map(({ id, title, text }) => ({ value: id, label: title || text.slice(0, 60) })),
    ],
    chosen,
  );

/** Returns "" for none. */
export const presetText = async (app: App, id: string | undefined): Promise<string> =>
  id ? (await getPreset(app, id)).text : "";
