// Returns the longer texts of the server: the administrator's, or the defaults.

import type { App } from "../../../platform/app.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import { getSettings } from "../../base/settings/settings.ts";
import { PRIVACY_CHANGED, privacyPolicy } from "./privacy.ts";
import { richText } from "./rich-text.ts";

/** HTML that is safe to show, and when it was last changed. */
type DatedText<Time = string> = { content: string; updatedAt: Time };

/** Returns an empty text, and null, while there is none. */
export const extendedDescription = async (app: App): Promise<DatedText<string | null>> => {
  const { extended_description: own } = await getSettings(app, ["extended_description"]);
  if (!own) return { content: "", updatedAt: null };
  return { content: richText(app, own.text), updatedAt: own.updated_at };
};

/** `language` is that of the default. */
export const privacyText = async (app: App, language = "en"): Promise<DatedText> => {
  const { privacy_policy: own } = await getSettings(app, ["privacy_policy"]);
  if (own) return { content: richText(app, own.text), updatedAt: own.updated_at };
  return {
    content: String(privacyPolicy(app.config, textsIn(language).t)),
    updatedAt: PRIVACY_CHANGED,
  };
};
