// Says on the server's own pages what was just done, or why a form was refused.

import type { ComponentChildren } from "preact";
import type { Notice } from "./pages.ts";

type Props = {
  id?: string | undefined;
  kind?: Notice["kind"];
  /** Whether the page begins here. */
  autofocus?: boolean;
  children: ComponentChildren;
};

/** Id of why a form was refused, which is read with the field that has the focus. */
export const REFUSAL = "refusal";

export const NoticeLine = ({ id, kind = "", autofocus = false, children }: Props) => (
  <p
    id={id}
    class={`notice ${kind}`}
    role={kind === "bad" ? "alert" : "status"}
    tabindex={autofocus ? -1 : undefined}
    autofocus={autofocus}
  >
    {children}
  </p>
);
