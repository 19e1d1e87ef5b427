// A grid of emojis to choose from: arrow keys move in it, letters search it.

import "../styles/compose.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { stepAlong } from "../text/direction.ts";
import type { Key } from "../texts/texts.ts";
import { allEmojis, findEmojis } from "./emojis.ts";
import type { AnyEmoji } from "./emojis.ts";

type Props = { onPick(text: string): void; onClose(): void };

/** Returns how many emojis a row has in the present layout. */
const columnsOf = (grid: HTMLElement): number => {
  const buttons = [...grid.querySelectorAll<HTMLElement>("button")];
  const top = buttons[0]?.offsetTop;
  const next = buttons.findIndex(({ offsetTop }) => offsetTop !== top);
  return next > 0 ? next : Math.max(1, buttons.length);
};

const moveFocus = (event: KeyboardEvent, list: HTMLElement): void => {
  const buttons = [...list.querySelectorAll<HTMLElement>("button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const row = columnsOf((event.target as HTMLElement).closest<HTMLElement>(".emoji-grid")!);
  const vertical = event.key === "ArrowDown" ? row : event.key === "ArrowUp" ? -row : 0;
  const step = stepAlong(event.key, list) || vertical;
  if (step === 0) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]!.focus();
};

const GROUPS = new Set(["custom", "faces", "hands", "hearts", "nature", "food", "things"]);

const Group = ({
  emojis,
  isFirst,
  onPick,
}: { emojis: AnyEmoji[]; isFirst: boolean } & Pick<Props, "onPick">) => {
  const { t } = useApp();
  const { group } = emojis[0]!;
  return (
    <section>
      <h2 class="soft small">{GROUPS.has(group) ? t(`emojis.${group}` as Key) : group}</h2>
      <div class="emoji-grid">
        {emojis.map(({ name, text, url }, index) => (
          <button
            key={name}
            type="button"
            tabIndex={isFirst && index === 0 ? 0 : -1}
            aria-label={name.replaceAll("_", " ")}
            title={`:${name}:`}
            onClick={() => onPick(text)}
          >
            {url ? <img src={url} alt="" width="24" height="24" loading="lazy" /> : text}
          </button>
        ))}
      </div>
    </section>
  );
};

export const EmojiPicker = ({ onPick, onClose }: Props) => {
  const { get, t, locale } = useApp();
  const [emojis, setEmojis] = useState<readonly AnyEmoji[]>([]);
  const [query, setQuery] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void allEmojis(get, locale).then(setEmojis);
    search.current?.focus();
  }, []);
  const shown = query === "" ? emojis : findEmojis(emojis, query);
  const groups = [...Map.groupBy(shown, ({ group }) => group).values()];
  return (
    <div
      class="emoji-picker"
      role="group"
      aria-label={t("compose.emoji")}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          onClose();
        } else if (event.target !== search.current) moveFocus(event, list.current!);
      }}
    >
      <input
        ref={search}
        type="search"
        dir="auto"
        value={query}
        placeholder={t("emojis.search")}
        aria-label={t("emojis.search")}
        onInput={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            // Picking may close the picker, so the key must not reach the grid.
            event.stopPropagation();
            if (shown[0]) onPick(shown[0].text);
          } else if (event.key === "ArrowDown") {
            event.preventDefault();
            list.current?.querySelector<HTMLElement>("button")?.focus();
          }
        }}
      />
      <div class="emoji-list" ref={list}>
        {groups.map((group, index) => (
          <Group key={group[0]!.group} emojis={group} isFirst={index === 0} onPick={onPick} />
        ))}
        {shown.length === 0 && <p class="soft">{t("emojis.none")}</p>}
      </div>
    </div>
  );
};
