// The state of the window: its address, the page, and the page's data.

import { signal } from "@preact/signals";
import type { Place } from "../app.ts";
import type { AnyPage } from "../pages/page.ts";
import type { Fault } from "../text/fault.ts";

export type Shown = {
  place: Place;
  page: AnyPage | null;
  data: unknown;
  fault: Fault | null;
  /** True while only what the store knew of the page is shown. */
  isPartial?: boolean;
  /** True when the page has changed what its data says. */
  isOld?: boolean;
};

/** The page in the window, with its data; null before the first page. */
export const shown = signal<Shown | null>(null);
export const isLoading = signal(false);
