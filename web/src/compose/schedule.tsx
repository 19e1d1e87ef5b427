// Chooses when a post is published, if not at once.

import { useApp } from "../app.ts";
import { asLocal } from "../text/local-time.ts";
import { change } from "./session.ts";
import type { Session } from "./at-work.ts";
import { Tool } from "./tool.tsx";

/** Returns the local time some minutes from now, for a field. */
const localTime = (minutes: number): string => asLocal(new Date(Date.now() + minutes * 60_000));

export const publishLater = (session: Session): void =>
  change(session, () => ({ scheduledAt: localTime(60) }));

export const Schedule = ({ session }: { session: Session }) => {
  const { t } = useApp();
  return (
    <p class="composer-schedule">
      <label>
        {t("compose.schedule_at")}{" "}
        <input
          type="datetime-local"
          min={localTime(6)}
          data-invalid={t("refusal.scheduled_no_date")}
          data-early={t("refusal.scheduled_too_soon")}
          value={session.draft.value.scheduledAt}
          onInput={(event) => {
            const scheduledAt = event.currentTarget.value;
            change(session, () => ({ scheduledAt }));
          }}
        />
      </label>
      <Tool
        icon="close"
        label={t("compose.schedule_not")}
        onClick={() => change(session, () => ({ scheduledAt: "" }))}
      />
    </p>
  );
};
