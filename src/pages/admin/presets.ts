// Prepared texts, to be chosen where a decision gives a reason.

import type { App } from "../../platform/app.ts";
import type { HtmlValue } from "../../platform/text/html.ts";
import { getPreset } from "../../domain/strikes/strikes.ts";
import type { PresetRow } from "../../domain/strikes/strikes.ts";
import { select } from "./parts.ts";

export const presetChoice = (
  presets: readonly PresetRow[],
  chosen: string | undefined,
): HtmlValue =>
  presets.length > 0 &&
  select(
    "preset",
    "Prepared text",
    [
      { value: "", label: "None" },
      ...presets.map(({ id, title, text }) => ({ value: id, label: title || text.slice(0, 60) })),
    ],
    chosen,
  );

/** "" for none. */
export const presetText = async (app: App, id: string | undefined): Promise<string> =>
  id ? (await getPreset(app, id)).text : "";
