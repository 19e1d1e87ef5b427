// Draws emoji reactions to a post with their counts. Members can join in by a press and, below the post that a page is
// about, choose another emoji.

import type { FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { actOnStatus } from "../acts/acts.ts";
import type { Reaction, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { say } from "../window/messages.ts";
import type { StoredStatus } from "../store/store.ts";
import { ActButton } from "../elements/act-button.tsx";
import { OFFERED } from "./announcements.tsx";
import { wordsFor } from "../text/fault.ts";
import { Icon } from "../elements/icons.tsx";
import { withTexts } from "../texts/texts.ts";

type Shown = Status | StoredStatus;

const Face = ({ reaction: { name, url } }: { reaction: Reaction }) =>
  url ? <img class="emoji" src={url} alt={`:${name}:`} title={`:${name}:`} /> : <>{name}</>;

/** Draws reactions for visitors, in notifications, and beside posts that are shown to be judged. */
export const Counted = ({ reactions }: { reactions: readonly Reaction[] }) => {
  const { t } = useApp();
  return (
    <ul class="reactions" aria-label={t("post.reactions")}>
      {reactions.map((reaction) => (
        <li key={reaction.url ?? reaction.name}>
          <Face reaction={reaction} /> {reaction.count}
        </li>
      ))}
    </ul>
  );
};

const ReactionButton = ({ id, reaction }: { id: string; reaction: Reaction }) => {
  const { t } = useApp();
  const { name, count, me: isMine = false } = reaction;
  const label = t("announcements.react", { emoji: name });
  return (
    <ActButton
      class="reaction"
      kind="statuses"
      id={id}
      act={`${isMine ? "unreact" : "react"}/${encodeURIComponent(name)}`}
      label={count > 0 ? t("words.comma", { text: label, more: count }) : label}
      pressed={isMine}
    >
      <Face reaction={reaction} />
      {count > 0 && <span class="count">{count}</span>}
    </ActButton>
  );
};

type Picker = FunctionComponent<{ onPick(text: string): void; onClose(): void }>;

/** Loads all emojis when somebody wants more; only with scripts. */
const MoreEmojis = ({ id }: { id: string }) => {
  const { send, store, t } = useApp();
  const [isAlive, setAlive] = useState(false);
  const [Grid, setGrid] = useState<Picker | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setAlive(true), []);
  const load = async (): Promise<void> => {
    const { EmojiPicker } = await withTexts(import("../compose/emoji-picker.tsx"));
    setGrid(() => EmojiPicker);
  };
  const close = (): void => {
    setGrid(null);
    requestAnimationFrame(() => button.current?.focus());
  };
  const pick = async (text: string): Promise<void> => {
    close();
    const name = encodeURIComponent(text.replaceAll(":", ""));
    try {
      await actOnStatus({ send, store }, `react/${name}`, id);
    } catch (error) {
      say(wordsFor(t, error));
    }
  };
  if (!isAlive) return null;
  return Grid ? (
    <Grid onPick={(text) => void pick(text)} onClose={close} />
  ) : (
    <button
      ref={button}
      type="button"
      class="button plain small"
      onClick={() => void load().catch((error: unknown) => say(wordsFor(t, error)))}
    >
      {t("reactions.more")}
    </button>
  );
};

const Add = ({ id, used }: { id: string; used: ReadonlySet<string> }) => {
  const { t } = useApp();
  return (
    <details class="offered">
      <summary aria-label={t("announcements.add")} title={t("announcements.add")}>
        <Icon name="smile" />
      </summary>
      <div class="offered-list">
        {OFFERED.filter((name) => !used.has(name)).map((name) => (
          <ReactionButton key={name} id={id} reaction={{ name, count: 0 }} />
        ))}
        <MoreEmojis id={id} />
      </div>
    </details>
  );
};

type Props = { status: Shown; isMain: boolean; withoutActs: boolean };

export const Reactions = ({ status: { id, reactions = [] }, isMain, withoutActs }: Props) => {
  const { me, t } = useApp();
  if (!me || withoutActs) return reactions.length > 0 ? <Counted reactions={reactions} /> : null;
  if (reactions.length === 0 && !isMain) return null;
  return (
    <div class="reactions" role="group" aria-label={t("post.reactions")}>
      {reactions.map((reaction) => (
        <ReactionButton key={reaction.name} id={id} reaction={reaction} />
      ))}
      {isMain && <Add id={id} used={new Set(reactions.map(({ name }) => name))} />}
    </div>
  );
};
