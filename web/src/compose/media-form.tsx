// Edits the media of a draft: descriptions, order (by dragging or by buttons), and the point that stays visible where a
// picture is cut.

import { useId, useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { ReadAtFocus } from "../elements/read-at-focus.tsx";
import { Icon } from "../elements/icons.tsx";
import type { DraftMedia, Focus, Part } from "./draft.ts";
import { changeMedia, changePart } from "./session.ts";
import { Tool } from "./tool.tsx";
import type { Session, Upload } from "./at-work.ts";
import { dropUpload, retryUpload } from "./uploads.ts";

const STEP = 0.1;
const KEYS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
};

const bounded = (value: number): number => Math.round(Math.min(1, Math.max(-1, value)) * 100) / 100;

const percent = (value: number): number => Math.round(((value + 1) / 2) * 100);

/** Chooses the middle of the picture by pointing or by arrow keys. */
const FocusPad = ({ media, onChange }: { media: DraftMedia; onChange(focus: Focus): void }) => {
  const { t } = useApp();
  const { x, y } = media.focus;
  const left = percent(x);
  const top = percent(-y);
  return (
    <button
      type="button"
      class="focus-pad"
      aria-label={t("compose.focus_pad", { left, top })}
      onClick={(event) => {
        // A click by the keyboard has no position.
        if (event.detail === 0) return;
        const { width, height, left: x0, top: y0 } = event.currentTarget.getBoundingClientRect();
        onChange({
          x: bounded(((event.clientX - x0) / width) * 2 - 1),
          y: bounded(1 - ((event.clientY - y0) / height) * 2),
        });
      }}
      onKeyDown={(event) => {
        const step = KEYS[event.key];
        if (!step) return;
        event.preventDefault();
        onChange({ x: bounded(x + step[0]), y: bounded(y + step[1]) });
      }}
    >
      <img src={media.preview ?? undefined} alt="" draggable={false} />
      <svg aria-hidden="true">
        <circle cx={`${left}%`} cy={`${top}%`} r="14" />
        <circle cx={`${left}%`} cy={`${top}%`} r="3" />
      </svg>
    </button>
  );
};

/** How a picture is cut where several stand beside each other. */
const positionOf = ({ focus: { x, y } }: DraftMedia): string => `${percent(x)}% ${percent(-y)}%`;

const Picture = ({ media }: { media: DraftMedia }) =>
  media.preview ? (
    <img
      src={media.preview}
      alt=""
      draggable={false}
      style={{ objectPosition: positionOf(media) }}
    />
  ) : (
    <span class="media-thumb">
      <Icon name="picture" />
    </span>
  );

type Place = { count: number; total: number };

type ItemProps = {
  media: DraftMedia;
  place: Place;
  isChosen: boolean;
  onChoose(): void;
  onMove(from: number, to: number): void;
  onRemove(): void;
  drag: { current: number | null };
};

/** Draws an attachment as it will be shown, with a chip that leads to its description. */
const Item = ({ media, place, isChosen, onChoose, onMove, onRemove, drag }: ItemProps) => {
  const { t } = useApp();
  const index = place.count - 1;
  const isDescribed = media.description.trim() !== "";
  const text = t(isDescribed ? "compose.described" : "compose.describe_it");
  return (
    <li
      class={isChosen ? "media-form-item chosen" : "media-form-item"}
      draggable={place.total > 1}
      onDragStart={(event) => {
        drag.current = index;
        event.dataTransfer!.effectAllowed = "move";
        event.dataTransfer!.setData("text/plain", "");
      }}
      onDragOver={(event) => drag.current !== null && event.preventDefault()}
      onDragEnd={() => (drag.current = null)}
      onDrop={(event) => {
        if (drag.current === null) return;
        event.preventDefault();
        event.stopPropagation();
        onMove(drag.current, index);
        drag.current = null;
      }}
    >
      <Picture media={media} />
      <button
        type="button"
        class="media-chip"
        aria-pressed={isChosen}
        aria-label={t("words.pair", { name: t("compose.media_item", place), value: text })}
        onClick={onChoose}
      >
        <Icon name={isDescribed ? "check" : "plus"} /> {text}
      </button>
      <button
        type="button"
        class="media-remove"
        aria-label={t("compose.media_remove", { count: place.count })}
        title={t("compose.media_remove", { count: place.count })}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </li>
  );
};

type DescriptionProps = {
  media: DraftMedia;
  place: Place;
  onChange(more: Partial<DraftMedia>): void;
  onMove(from: number, to: number): void;
  onBegin(): void;
  onDone(): void;
};

/** Describes the chosen attachment, across the whole width, and says what else can be done with it. */
const Description = ({ media, place, onChange, onMove, onBegin, onDone }: DescriptionProps) => {
  const { site, t } = useApp();
  const id = useId();
  const [isFocusing, setFocusing] = useState(false);
  const { count, total } = place;
  const limit = site.limits.descriptionCharacters;
  const used = t("compose.used", { count: media.description.length, total: limit });
  const toggle = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !isFocusing) return;
    event.preventDefault();
    event.stopPropagation();
    setFocusing(false);
    toggle.current?.focus();
  };
  return (
    <div class="media-describe" onKeyDown={onKeyDown}>
      <label for={id}>{total > 1 ? t("compose.describe_of", place) : t("compose.describe")}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={limit}
        value={media.description}
        aria-describedby={`${id}-used`}
        dir="auto"
        onFocus={onBegin}
        onInput={(event) => onChange({ description: event.currentTarget.value })}
      />
      <div class="media-describe-tools">
        <span class="soft small" aria-hidden="true">
          {used}
        </span>
        <ReadAtFocus id={`${id}-used`} words={used} />
        {total > 1 && (
          <>
            <Tool
              icon="back"
              class="earlier"
              label={t("compose.earlier")}
              disabled={count === 1}
              onClick={() => onMove(count - 1, count - 2)}
            />
            <Tool
              icon="next"
              class="later"
              label={t("compose.later")}
              disabled={count === total}
              onClick={() => onMove(count - 1, count)}
            />
          </>
        )}
        {media.type === "image" && (
          <button
            ref={toggle}
            type="button"
            class="quiet"
            aria-pressed={isFocusing}
            onClick={() => setFocusing(!isFocusing)}
          >
            {t("compose.focus")}
          </button>
        )}
        <button type="button" class="button plain small" onClick={onDone}>
          {t("compose.describe_done")}
        </button>
      </div>
      {isFocusing && (
        <>
          <p class="soft small">{t("compose.focus_help")}</p>
          <FocusPad media={media} onChange={(focus) => onChange({ focus })} />
        </>
      )}
    </div>
  );
};

const UploadRow = ({ session, upload }: { session: Session; upload: Upload }) => {
  const { t } = useApp();
  const { file, progress, fault, isRefused, key } = upload;
  return (
    <li class="upload">
      <div class="media-form-row">
        <span class="upload-name">{file.name}</span>
        {fault === null ? (
          <progress
            max={1}
            value={progress < 1 ? progress : undefined}
            aria-label={t(progress < 1 ? "compose.uploading" : "compose.processing", {
              name: file.name,
            })}
          />
        ) : (
          <>
            <span class="over" role="alert">
              {fault} {t("compose.upload_remove")}
            </span>
            {!isRefused && (
              <button
                type="button"
                class="button plain small"
                onClick={() => retryUpload(session, upload)}
              >
                {t("compose.retry")}
              </button>
            )}
          </>
        )}
        <Tool
          icon="close"
          label={t("compose.upload_cancel", { name: file.name })}
          onClick={() => dropUpload(session, key)}
        />
      </div>
    </li>
  );
};

const isBare = ({ description }: DraftMedia): boolean => description.trim() === "";

/** Shows the attachments as a grid, and below it the description of one: the chosen, at first one without. */
const Media = ({ session, part }: { session: Session; part: Part }) => {
  const { t } = useApp();
  const field = useRef<HTMLDivElement>(null);
  const drag = useRef<number | null>(null);
  const [moved, setMoved] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const { media } = part;
  const total = media.length;
  const set = (change: (now: DraftMedia[]) => DraftMedia[]): void =>
    changePart(session, part.key, (now) => ({ media: change(now.media) }));
  /** Keeps the focus, which a button loses that can do no more. */
  const focusField = (): void =>
    void requestAnimationFrame(() => {
      if (document.activeElement?.matches("button:enabled")) return;
      field.current?.querySelector("textarea")?.focus();
    });
  const move = (from: number, to: number): void => {
    set((now) => now.toSpliced(from, 1).toSpliced(to, 0, now[from]!));
    setMoved(t("compose.moved", { count: to + 1, total }));
    focusField();
  };
  const choose = (id: string): void => {
    setChosen(id);
    requestAnimationFrame(() => field.current?.querySelector("textarea")?.focus());
  };
  const shown =
    media.find(({ id }) => id === chosen) ?? (chosen === "" ? null : media.find(isBare));
  const done = (): void => {
    const next = media.find((each) => isBare(each) && each !== shown);
    if (next) choose(next.id);
    else setChosen("");
  };
  return (
    <>
      <ul class={total > 1 ? "media-form several" : "media-form"} aria-label={t("compose.media")}>
        {media.map((each, index) => (
          <Item
            key={each.id}
            media={each}
            place={{ count: index + 1, total }}
            isChosen={each === shown}
            onChoose={() => choose(each.id)}
            onMove={move}
            onRemove={() => set((now) => now.filter(({ id }) => id !== each.id))}
            drag={drag}
          />
        ))}
      </ul>
      <div ref={field}>
        {shown && (
          <Description
            key={shown.id}
            media={shown}
            place={{ count: media.indexOf(shown) + 1, total }}
            onChange={(more) => changeMedia(session, part.key, shown.id, more)}
            onMove={move}
            onBegin={() => setChosen(shown.id)}
            onDone={done}
          />
        )}
      </div>
      <span class="invisible" role="status">
        {moved}
      </span>
    </>
  );
};

export const MediaForm = ({ session, part }: { session: Session; part: Part }) => {
  const { t } = useApp();
  const uploads = session.uploads.value.filter(({ partKey }) => partKey === part.key);
  if (part.media.length === 0 && uploads.length === 0) return null;
  return (
    <>
      {part.media.length > 0 && <Media session={session} part={part} />}
      {uploads.length > 0 && (
        <ul class="uploads">
          {uploads.map((upload) => (
            <UploadRow key={upload.key} session={session} upload={upload} />
          ))}
        </ul>
      )}
      {part.warning === null && (
        <label class="sensitive-mark">
          <input
            type="checkbox"
            checked={part.sensitive}
            onChange={(event) => {
              const sensitive = event.currentTarget.checked;
              changePart(session, part.key, () => ({ sensitive }));
            }}
          />{" "}
          {t("compose.sensitive")}
        </label>
      )}
    </>
  );
};
