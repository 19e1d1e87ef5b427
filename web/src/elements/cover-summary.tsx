// The line that stands for what is covered: what it is, and the word that shows or hides it.

import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import { Icon } from "./icons.tsx";

export const CoverSummary = ({ children }: { children: ComponentChildren }) => {
  const { t } = useApp();
  return (
    <summary>
      <Icon name="warning" />
      <span dir="auto">{children}</span>
      <span class="cover-show">{t("post.show")}</span>
      <span class="cover-hide">{t("post.hide")}</span>
    </summary>
  );
};
