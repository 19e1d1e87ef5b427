// A field for the time of something scheduled.

import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { asLocal, asUtc, momentOf } from "../text/local-time.ts";
import { Labelled, useField } from "./fields.tsx";

/** Shows local time, which the server cannot know: without scripts it is UTC. */
export const TimeField = ({ at, of }: { at: string; of?: string }) => {
  const { t } = useApp();
  const { id, fault, valueOr, attributes } = useField({ name: "scheduled_at", of });
  const [local, setLocal] = useState<string | null>(null);
  useEffect(() => setLocal(asLocal(new Date(at))), [at]);
  const isUtc = local === null;
  return (
    <Labelled
      class="settings-field"
      id={id}
      label={t(isUtc ? "scheduled.time_utc" : "scheduled.time")}
      fault={fault}
    >
      <input
        id={id}
        type="datetime-local"
        {...attributes}
        data-invalid={t("refusal.scheduled_no_date")}
        name={isUtc ? "scheduled_at" : undefined}
        value={local ?? valueOr(asUtc(new Date(at)))}
        required
        onInput={({ currentTarget }) => setLocal(currentTarget.value)}
      />
      {local !== null && (
        <input type="hidden" name="scheduled_at" value={momentOf(local) ?? local} />
      )}
    </Labelled>
  );
};
