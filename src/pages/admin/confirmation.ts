// The page that asks before an act of the staff that takes something away (confirmations.ts has the questions).

import type { Inline } from "../../../web/src/served/part-pages.ts";

export type Confirmation = {
  title: string;
  /** Lines that say what is deleted, or what follows. */
  lines: Inline[];
  /** Label of the button. */
  label: string;
  /** Word that has to be typed first. */
  word?: string;
  /** True when the act takes nothing away. */
  isMild?: boolean;
};
