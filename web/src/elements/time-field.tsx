// A field for the time of something scheduled.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { asLocal, asUtc, momentOf } from "../text/local-time.ts";

/** Shows local time, which the server cannot know: without scripts it is UTC. */
export const TimeField = ({ at }: { at: string }) => {
  const { t } = useApp();
  const [local, setLocal] = useState<string | null>(null);
  useEffect(() => setLocal(asLocal(new Date(at))), [at]);
  const isUtc = local === null;
  return (
    <label class="settings-field">
      <span>{t(isUtc ? "scheduled.time_utc" : "scheduled.time")}</span>
      <input
        type="datetime-local"
        name={isUtc ? "scheduled_at" : undefined}
        value={local ?? asUtc(new Date(at))}
        required
        onInput={({ currentTarget }) => setLocal(currentTarget.value)}
      />
      {local !== null && (
        <input type="hidden" name="scheduled_at" value={momentOf(local) ?? local} />
      )}
    </label>
  );
};
