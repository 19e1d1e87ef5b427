// Folds long texts in lists: their beginning, and a button for the rest, which works without scripts. The text stays in
// the document, so that it is found and read aloud whether it is folded or not.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";

/** Characters from which on a text is folded; more than is visible at first in the widest window. */
const LONG_CHARACTERS = 1200;
const LONG_LINES = 24;

/** Whether the HTML of a post is long. */
export const isLong = (html: string): boolean =>
  html.length > LONG_LINES * 4 &&
  (html.replaceAll(/<[^>]*>/g, "").length > LONG_CHARACTERS ||
    (html.match(/<(?:p|br|li)\b|\n/g) ?? []).length > LONG_LINES);

export const Folded = ({ children }: { children: ComponentChildren }) => {
  const { t } = useApp();
  return (
    <div class="folded">
      {children}
      <details class="folded-rest">
        <summary>
          <span class="folded-more">{t("post.show_more")}</span>
          <span class="folded-less">{t("post.show_less")}</span>
        </summary>
      </details>
    </div>
  );
};
