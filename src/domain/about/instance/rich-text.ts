// Renders texts by administrators: HTML, sanitised like remote HTML, or plain text with blank lines between paragraphs.

import type { App } from "../../../platform/app.ts";
import { formatText } from "../../../platform/text/format.ts";
import { sanitiseHtml } from "../../../platform/text/sanitise.ts";
import { tagUrl } from "../../posts/tags/present.ts";

const IS_HTML = /<(?:p|h[1-6]|ul|ol|div|section|br|blockquote)\b/i;

/** Returns HTML that is safe to show. */
export const richText = (app: App, text: string): string =>
  IS_HTML.test(text)
    ? sanitiseHtml(text)
    : formatText(text, { mentions: new Map(), tagUrl: (name) => tagUrl(app.config.site, name) });
