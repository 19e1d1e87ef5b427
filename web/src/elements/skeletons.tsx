// Draws placeholders of posts that are being loaded.

import { useApp } from "../app.ts";

const Skeleton = () => (
  <div class="skeleton" aria-hidden="true">
    <span class="skeleton-avatar" />
    <span class="skeleton-lines" />
  </div>
);

export const Skeletons = ({ count }: { count: number }) => {
  const { t } = useApp();
  return (
    <div class="skeletons" role="status">
      <span class="invisible">{t("feed.loading")}</span>
      {Array.from({ length: count }, (_each, index) => (
        <Skeleton key={index} />
      ))}
    </div>
  );
};
