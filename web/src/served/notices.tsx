// Says on the server's own pages what was just done, or why a form was refused.

import type { ComponentChildren } from "preact";
import type { Notice } from "./pages.ts";

type Props = { kind?: Notice["kind"]; children: ComponentChildren };

export const NoticeLine = ({ kind = "", children }: Props) => (
  <p class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
    {children}
  </p>
);
