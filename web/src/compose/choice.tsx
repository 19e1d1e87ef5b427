// Choices of a post, each with an icon and a line that says what it means: who sees it, who may answer and quote it, its language.

import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { Icon } from "../views/icons.tsx";
import type { IconName } from "../views/icons.tsx";
import {
  QUOTE_POLICIES,
  REPLY_POLICIES,
  isOpenToAll,
  visibilitiesFrom,
} from "../api/visibility.ts";
import type { QuotePolicy, ReplyPolicy, Visibility } from "../api/visibility.ts";

type Option<V extends string> = { value: V; icon: IconName; label: string; hint: string };

type Props<V extends string> = {
  /** What is chosen. */
  label: string;
  options: readonly Option<V>[];
  value: V;
  disabled?: boolean;
  onChange(value: V): void;
};

/** Closes an open `details` by Escape and by a press elsewhere. */
const useClosing = () => {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = details;
      if (current?.open && !current.contains(event.target as globalThis.Node)) current.open = false;
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
  const close = (): void => {
    details.current!.open = false;
    details.current!.querySelector("summary")!.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!details.current!.open || (event.key !== "Escape" && event.key !== "Enter")) return;
    if ((event.target as HTMLElement).localName === "summary" && event.key === "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return { details, close, onKeyDown };
};

let count = 0;

export const Choice = <V extends string>({
  label,
  options,
  value,
  disabled,
  onChange,
}: Props<V>) => {
  const { details, close, onKeyDown } = useClosing();
  const [name] = useState(() => `choice-${(count += 1)}`);
  const current = options.find((option) => option.value === value) ?? options[0]!;
  const text = `${label}: ${current.label}`;
  if (disabled) {
    return (
      <span class="choice-fixed soft" title={text}>
        <Icon name={current.icon} /> <span>{current.label}</span>
      </span>
    );
  }
  return (
    <details
      class="choice"
      ref={details}
      onKeyDown={onKeyDown}
      onToggle={({ currentTarget }) => {
        // The arrow keys choose at once.
        if (currentTarget.open) currentTarget.querySelector<HTMLElement>("input:checked")?.focus();
      }}
    >
      <summary aria-label={text} title={text}>
        <Icon name={current.icon} /> <span>{current.label}</span>
      </summary>
      <fieldset class="choice-options">
        <legend>{label}</legend>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              onClick={(event) => event.detail > 0 && close()}
            />
            <Icon name={option.icon} />
            <span>
              <strong>{option.label}</strong>
              <small class="soft">{option.hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
};

const AUDIENCE_ICONS: Record<Visibility, IconName> = {
  public: "globe",
  unlisted: "moon",
  local: "home",
  private: "lock",
  local_followers: "home",
  circle: "people",
  direct: "at",
};

type AudienceProps = {
  value: Visibility;
  widest: Visibility;
  disabled?: boolean;
  onChange(value: Visibility): void;
};

export const Audience = ({ widest, ...more }: AudienceProps) => {
  const { t } = useApp();
  const options = visibilitiesFrom(widest).map((value) => ({
    value,
    icon: AUDIENCE_ICONS[value],
    label: t(`visibility.${value}`),
    hint: t(`compose.visibility_${value}`),
  }));
  return <Choice label={t("compose.audience")} options={options} {...more} />;
};

const POLICY_ICONS: Record<QuotePolicy, IconName> = {
  public: "quote",
  followers: "people",
  nobody: "close",
};

type PolicyProps = {
  value: QuotePolicy;
  visibility: Visibility;
  onChange(value: QuotePolicy): void;
};

/** A post that not everybody may see is quoted by its author alone. */
export const QuoteChoice = ({ value, visibility, onChange }: PolicyProps) => {
  const { t } = useApp();
  const isOpen = isOpenToAll({ visibility });
  const options = QUOTE_POLICIES.map((each) => ({
    value: each,
    icon: POLICY_ICONS[each],
    label: t(`compose.quote_${each}`),
    hint: t(`compose.quote_${each}_hint`),
  }));
  return (
    <Choice
      label={t("compose.quote_policy")}
      options={options}
      value={isOpen ? value : "nobody"}
      disabled={!isOpen}
      onChange={onChange}
    />
  );
};

const REPLY_ICONS: Record<ReplyPolicy, IconName> = {
  public: "reply",
  followers: "people",
  following: "person",
  mentioned: "at",
  nobody: "close",
};

type ReplyProps = { value: ReplyPolicy; onChange(value: ReplyPolicy): void };

export const ReplyChoice = (props: ReplyProps) => {
  const { t } = useApp();
  const options = REPLY_POLICIES.map((each) => ({
    value: each,
    icon: REPLY_ICONS[each],
    label: t(`compose.reply_${each}`),
    hint: t(`compose.reply_${each}_hint`),
  }));
  return <Choice label={t("compose.reply_policy")} options={options} {...props} />;
};

type Language = { code: string; name: string };

let known: readonly Language[] | null = null;

/** All languages are asked for when the list is about to open. */
export const LanguageChoice = ({
  value,
  onChange,
}: {
  value: string;
  onChange(value: string): void;
}) => {
  const { get, locale, t } = useApp();
  const [languages, setLanguages] = useState(known);
  const names = new Intl.DisplayNames(locale, { type: "language" });
  const load = async (): Promise<void> => {
    if (languages) return;
    const { body } = await get<Language[]>("/api/v1/instance/languages");
    known = body
      .map(({ code, name }) => ({ code, name: nameOf(names, code) ?? name }))
      .toSorted((a, b) => a.name.localeCompare(b.name, locale));
    setLanguages(known);
  };
  const shown = languages ?? [{ code: value, name: nameOf(names, value) ?? value }];
  return (
    <select
      class="option-choice"
      aria-label={t("compose.language")}
      title={t("compose.language")}
      value={value}
      onFocus={() => void load().catch(() => {})}
      onPointerEnter={() => void load().catch(() => {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {shown.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
};

const nameOf = (names: Intl.DisplayNames, code: string): string | undefined => {
  try {
    const name = names.of(code);
    return name === code ? undefined : name;
  } catch {
    return undefined;
  }
};
