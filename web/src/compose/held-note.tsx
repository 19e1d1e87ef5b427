// Says in the composer's place that a post was sent and waits for a moderator, and leads to it.

import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";

/** `onLeave`: closes what is above the page. */
export const HeldNote = ({ onLeave }: { onLeave?(): void }) => {
  const { t } = useApp();
  return (
    <p class="notice composer-state held-note">
      <Icon name="clock" />
      <span>{t("compose.held")}</span>
      <a href="/scheduled" onClick={onLeave}>
        {t("compose.held_view")}
      </a>
    </p>
  );
};
