// Several entries of a page at once: boxes to tick beside them, and one form for the ticked ones, or for all.

import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { formField } from "../../domain/people/users/pages/cookies.ts";
import { entered } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { checkbox } from "./components.ts";

const FORM = "several";

/** Kind of the entries, which begins the names of the boxes. */
type Kind = "account" | "post";

/** Draws the box beside an entry; it belongs to the form, wherever it is on the page. */
export const tick = (kind: Kind, id: string, label: string): Html =>
  html`<input
    type="checkbox"
    class="tick"
    form="${FORM}"
    name="${kind}_${id}"
    value="1"
    aria-label="${label}"
  />`;

type TickedForm = {
  path: string;
  /** Ids of all entries that the page shows. */
  ids: string[];
  /** Label of the box for all of them. */
  all: string;
  more?: HtmlValue;
  buttons: HtmlValue;
};

export const tickedForm = (
  { app, request, reply }: Staff,
  { path, ids, all, more, buttons }: TickedForm,
): Html =>
  html`<form class="several" id="${FORM}" method="post" action="${path}">
    ${formField(app, request, reply)}
    <input type="hidden" name="listed" value="${ids.join(",")}" />
    ${checkbox("all", all, false)} ${more}
    <div class="buttons">${buttons}</div>
  </form>`;

/** Returns the ids ticked in the form that was sent. */
export const tickedIds = (staff: Staff, kind: Kind): string[] => {
  const { all, listed = "", ...fields } = entered(staff);
  if (all === "1") return listed.match(/\d+/g) ?? [];
  return Object.keys(fields).flatMap((name) => {
    const [prefix, id = ""] = name.split("_", 2);
    return prefix === kind && /^\d+$/.test(id) ? [id] : [];
  });
};

/** Returns the shortcodes of ticked emojis, at most those of a page. */
export const tickedEmojis = (context: Staff): string[] =>
  Object.entries(entered(context)).flatMap(([name, value]) =>
    name.startsWith("emoji_") && value === "1" ? [name.slice("emoji_".length)] : [],
  );
