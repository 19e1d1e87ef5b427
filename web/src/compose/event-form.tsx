// Edits the event of a post: its name, times and place.

import { useId } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Part } from "./draft.ts";
import { isOver, MAX_NAME, MAX_PLACE, problemOf } from "./event.ts";
import type { DraftEvent } from "./event.ts";
import type { Key } from "../texts/texts.ts";

type FieldProps = {
  label: string;
  value: string;
  id?: string;
  isTime?: boolean;
  isRequired?: boolean;
  /** Id of the element that describes it. */
  about?: string | undefined;
  isBad?: boolean;
  /** What is said beside it where it cannot be sent. */
  fault?: string;
  onInput(value: string): void;
};

const Field = ({ label, value, id, isTime, isBad = false, fault, ...more }: FieldProps) => {
  const { t } = useApp();
  const attributes = {
    id,
    value,
    required: more.isRequired ?? false,
    "data-invalid": fault ?? t("refusal.scheduled_no_date"),
    "aria-invalid": isBad,
    "aria-describedby": more.about,
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      more.onInput(currentTarget.value),
  };
  return (
    <label>
      <span>{label}</span>
      {isTime ? (
        <input type="datetime-local" {...attributes} />
      ) : (
        <input type="text" pattern={fault && ".*\\S.*"} dir="auto" {...attributes} />
      )}
    </label>
  );
};

/** Returns the id of the first field of a new event. */
export const eventFieldOf = ({ key }: Part): string => `event-${key}`;

type Props = {
  id: string;
  event: DraftEvent;
  onChange(event: DraftEvent): void;
  onRemove(): void;
};

/** Which field each problem is said of; of others the browser says it beside the field. */
const FIELDS: Partial<Record<Key, "name" | "end" | "place">> = {
  "refusal.event_name_long": "name",
  "refusal.event_end": "end",
  "refusal.event_year": "end",
  "refusal.event_place_long": "place",
};

/** Returns what is wrong, and the time zone used. */
const useNotes = (event: DraftEvent) => {
  const { t } = useApp();
  const [zoneId, problemId] = [useId(), useId()];
  const problem = problemOf(event);
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const bad = problem && FIELDS[problem];
  const count = bad === "name" ? MAX_NAME : MAX_PLACE;
  const view = (
    <>
      <p id={zoneId} class="soft small">
        {t("compose.event_zone", { zone })}
      </p>
      <p id={problemId} class="over small" role="status">
        {bad ? t(problem, { count }) : isOver(event) && t("refusal.event_over")}
      </p>
    </>
  );
  return { view, zoneId, problemId, bad };
};

export const EventForm = ({ id, event, onRemove, onChange }: Props) => {
  const { t } = useApp();
  const notes = useNotes(event);
  const set = (more: Partial<DraftEvent>): void => onChange({ ...event, ...more });
  return (
    <fieldset
      class="poll-form event-form"
      // Enter would send a post that is not finished.
      onKeyDown={(press) => {
        const isField = press.target instanceof HTMLInputElement;
        if (isField && press.key === "Enter" && !(press.ctrlKey || press.metaKey))
          press.preventDefault();
      }}
    >
      <legend class="invisible">{t("compose.event")}</legend>
      <Field
        label={t("compose.event_name")}
        id={id}
        value={event.name}
        isRequired
        fault={t("refusal.event_blank")}
        about={notes.problemId}
        isBad={notes.bad === "name"}
        onInput={(name) => set({ name })}
      />
      <div class="event-times">
        <Field
          label={t("compose.event_start")}
          isTime
          value={event.startsAt}
          isRequired
          fault={t("refusal.event_start")}
          about={`${notes.zoneId} ${notes.problemId}`}
          onInput={(startsAt) => set({ startsAt })}
        />
        <Field
          label={t("compose.event_end")}
          isTime
          value={event.endsAt}
          about={`${notes.zoneId} ${notes.problemId}`}
          isBad={notes.bad === "end"}
          onInput={(endsAt) => set({ endsAt })}
        />
      </div>
      <Field
        label={t("compose.event_place")}
        value={event.place}
        about={notes.problemId}
        isBad={notes.bad === "place"}
        onInput={(place) => set({ place })}
      />
      {notes.view}
      {!event.isPosted && (
        <p>
          <button type="button" class="button plain small" onClick={onRemove}>
            {t("compose.event_remove")}
          </button>
        </p>
      )}
    </fieldset>
  );
};
