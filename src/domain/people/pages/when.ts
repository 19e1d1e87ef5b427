// Times on the pages: to the minute, in UTC, as the reader's time zone is not known.

import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";

const FORMAT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

export const whenText = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${FORMAT.format(at)} UTC</time>`;

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** `day`: YYYY-MM-DD. */
export const dayText = (day: string): Html =>
  html`<time datetime="${day}">${DAY.format(new Date(day))}</time>`;
