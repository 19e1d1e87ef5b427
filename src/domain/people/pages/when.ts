// Times on our pages: to the minute, in UTC, as the pages know no other time zone.

import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";

const FORMAT = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

export const whenText = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${FORMAT.format(at)} UTC</time>`;
