// What is asked before an act of the staff that takes something away (questions.ts has them).

import type { HtmlValue } from "../../platform/text/html.ts";

export type Question = {
  title: string;
  /** What goes, or what follows, a line each. */
  lines: HtmlValue[];
  /** Of the button. */
  label: string;
  /** What is typed first. */
  word?: string;
  /** It takes nothing away. */
  isMild?: boolean;
};
