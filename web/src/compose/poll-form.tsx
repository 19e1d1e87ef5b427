// Edits the poll of a draft.

import { useId, useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { duration } from "../text/time.ts";
import type { Key } from "../texts/texts.ts";
import { Icon } from "../elements/icons.tsx";
import { countCharacters } from "./count.ts";
import { isTooLong, pollProblemOf } from "./draft.ts";
import type { DraftPoll, PollLimits } from "./draft.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const DURATIONS: readonly number[] = [
  5 * MINUTE,
  30 * MINUTE,
  HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  3 * DAY,
  7 * DAY,
  30 * DAY,
];

export const newPoll = (): DraftPoll => ({ options: ["", ""], seconds: DAY, multiple: false });

const Duration = ({ seconds, onChange }: { seconds: number; onChange(value: number): void }) => {
  const { locale, t } = useApp();
  const isKnown = DURATIONS.includes(seconds);
  return (
    <label>
      {t("compose.poll_duration")}{" "}
      <select
        value={String(seconds)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {!isKnown && <option value={String(seconds)}>{t("compose.poll_unchanged")}</option>}
        {DURATIONS.map((each) => (
          <option key={each} value={String(each)}>
            {duration(locale, each)}
          </option>
        ))}
      </select>
    </label>
  );
};

type Props = {
  poll: DraftPoll;
  /** True once it was to be sent. */
  isTried: boolean;
  onChange(poll: DraftPoll | null): void;
};

type OptionProps = {
  index: number;
  value: string;
  isRemovable: boolean;
  isBad: boolean;
  /** Id of what says why. */
  about: string;
  onInput(value: string): void;
  onRemove(): void;
  onEnter(): void;
};

const Option = ({
  index,
  value,
  isRemovable,
  isBad,
  about,
  onInput,
  onRemove,
  onEnter,
}: OptionProps) => {
  const { site, t } = useApp();
  const label = t("compose.poll_option", { count: index + 1 });
  const left = site.limits.pollCharacters - countCharacters(value, "", site.limits.linkCharacters);
  return (
    <div class="poll-option">
      <input
        type="text"
        value={value}
        placeholder={label}
        aria-label={label}
        aria-invalid={isBad}
        aria-describedby={isBad ? about : undefined}
        dir="auto"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onEnter();
        }}
      />
      {left <= 10 && <span class={left < 0 ? "over" : "soft"}>{left}</span>}
      <button
        type="button"
        class="icon-button"
        disabled={!isRemovable}
        aria-label={t("compose.poll_remove_option", { count: index + 1 })}
        title={t("compose.poll_remove_option", { count: index + 1 })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
};

/** Returns whether the option is one of those that the problem is of. */
const isPartOf = (
  problem: Key | null,
  options: readonly string[],
  option: string,
  limits: PollLimits,
): boolean => {
  if (problem === "refusal.poll_long") return isTooLong(option, limits);
  const text = option.trim();
  if (problem === "refusal.poll_one") return text === "";
  if (problem !== "refusal.poll_twice" || text === "") return false;
  return options.filter((each) => each.trim() === text).length > 1;
};

export const PollForm = ({ poll, isTried, onChange }: Props) => {
  const { site, t } = useApp();
  const { options } = poll;
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const problemId = useId();
  const [wasLeft, setLeft] = useState(false);
  const problem = pollProblemOf(poll, site.limits);
  // Nobody has done anything wrong while the options are still to be written.
  const isTold = wasLeft || isTried || problem !== "refusal.poll_one";
  const mayAdd = options.length < site.limits.pollOptions;
  const focusOption = (index: number): void => {
    requestAnimationFrame(() =>
      fieldset.current?.querySelectorAll<HTMLElement>(".poll-option input")[index]?.focus(),
    );
  };
  const add = (): void => {
    if (mayAdd) onChange({ ...poll, options: [...options, ""] });
    focusOption(options.length);
  };
  const remove = (index: number): void => {
    onChange({ ...poll, options: options.toSpliced(index, 1) });
    focusOption(Math.max(0, index - 1));
  };
  return (
    <fieldset
      class="poll-form"
      ref={fieldset}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setLeft(true);
      }}
    >
      <legend class="invisible">{t("compose.poll")}</legend>
      {options.map((option, index) => (
        <Option
          key={index}
          index={index}
          value={option}
          isRemovable={options.length > 2}
          isBad={isTold && isPartOf(problem, options, option, site.limits)}
          about={problemId}
          onInput={(value) => onChange({ ...poll, options: options.with(index, value) })}
          onRemove={() => remove(index)}
          onEnter={() => (index === options.length - 1 ? add() : focusOption(index + 1))}
        />
      ))}
      <p id={problemId} class={isTold ? "over small" : "soft small"} role="status">
        {problem && t(problem, { count: site.limits.pollCharacters })}
      </p>
      <div class="poll-more">
        <button type="button" class="button plain small" disabled={!mayAdd} onClick={add}>
          {t("compose.poll_add")}
        </button>
        <Duration seconds={poll.seconds} onChange={(seconds) => onChange({ ...poll, seconds })} />
        <label>
          <input
            type="checkbox"
            checked={poll.multiple}
            onChange={(event) => onChange({ ...poll, multiple: event.currentTarget.checked })}
          />{" "}
          {t("compose.poll_multiple")}
        </label>
        <button type="button" class="button plain small" onClick={() => onChange(null)}>
          {t("compose.poll_remove")}
        </button>
      </div>
    </fieldset>
  );
};
