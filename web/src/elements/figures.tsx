// Says how many people are here, and how many posts they wrote.

import { useApp } from "../app.ts";

export type Figures = { people: number; active: number; posts: number };

export const FiguresLine = ({ figures }: { figures: Figures }) => {
  const { t } = useApp();
  return (
    <p class="figures">
      <span>{t("front.people", { count: figures.people })}</span>
      <span>{t("front.active", { count: figures.active })}</span>
      <span>{t("front.posts", { count: figures.posts })}</span>
    </p>
  );
};
