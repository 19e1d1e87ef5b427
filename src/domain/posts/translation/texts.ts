// Collects the texts of a status that are translated as one list of HTML, and splits the result. HTML from the service
// is sanitised like remote HTML.

import { escapeHtml } from "../../../platform/text/html.ts";
import { plainText } from "../../../platform/text/plain.ts";
import { sanitiseHtml } from "../../../platform/text/sanitise.ts";
import type { StatusView } from "../statuses/tables.ts";

const asHtml = (text: string): string => escapeHtml(text).replaceAll("\n", "<br>");

const described = (view: StatusView) => view.media.filter((attachment) => attachment.description);

/** Keeps a fixed order and empty texts, so that positions identify the texts. */
export const textsOf = (view: StatusView): string[] => [
  view.content,
  asHtml(view.spoiler_text),
  ...(view.poll?.options ?? []).map(asHtml),
  ...described(view).map((attachment) => asHtml(attachment.description!)),
];

export type TranslatedParts = {
  content: string;
  spoilerText: string;
  options: string[];
  descriptions: { id: string; description: string }[];
};

/** `texts` are the translations of textsOf, in the same order. */
export const partsOf = (view: StatusView, texts: string[]): TranslatedParts => {
  const [content = "", spoilerText = "", ...rest] = texts;
  const count = view.poll?.options.length ?? 0;
  return {
    content: sanitiseHtml(content),
    spoilerText: plainText(spoilerText),
    options: rest.slice(0, count).map(plainText),
    descriptions: described(view).map(({ id }, index) => ({
      id,
      description: plainText(rest[count + index] ?? ""),
    })),
  };
};
