// Edits the media of a draft: descriptions, order (by dragging or by buttons), and the point that stays visible where a
// picture is cut.

import { useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import type { DraftMedia, Focus, Part } from "./draft.ts";
import { changeMedia, changePart } from "./session.ts";
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

type ItemProps = {
  session: Session;
  part: Part;
  media: DraftMedia;
  index: number;
  onMove(from: number, to: number): void;
  drag: { current: number | null };
};

const Thumb = ({ media }: { media: DraftMedia }) =>
  media.preview ? (
    <img class="media-thumb" src={media.preview} alt="" draggable={false} />
  ) : (
    <span class="media-thumb">
      <Icon name="picture" />
    </span>
  );

const Tool = ({
  icon,
  label,
  ...more
}: {
  icon: IconName;
  label: string;
  class?: string;
  disabled?: boolean;
  pressed?: boolean;
  onClick(): void;
}) => (
  <button
    type="button"
    class={`icon-button ${more.class ?? ""}`}
    aria-label={label}
    title={label}
    aria-pressed={more.pressed}
    disabled={more.disabled}
    onClick={more.onClick}
  >
    <Icon name={icon} />
  </button>
);

const Item = ({ session, part, media, index, onMove, drag }: ItemProps) => {
  const { site, t } = useApp();
  const [isFocusing, setFocusing] = useState(false);
  const count = part.media.length;
  const label = t("compose.media_item", { count: index + 1, total: count });
  const set = (more: Partial<DraftMedia>): void => changeMedia(session, part.key, media.id, more);
  return (
    <li
      class="media-form-item"
      draggable={count > 1}
      onDragStart={(event) => {
        if ((event.target as HTMLElement).localName === "textarea") return event.preventDefault();
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
      <div class="media-form-row">
        <Thumb media={media} />
        <textarea
          rows={2}
          maxLength={site.limits.descriptionCharacters}
          value={media.description}
          placeholder={t("compose.describe")}
          aria-label={`${label}: ${t("compose.description")}`}
          dir="auto"
          onInput={(event) => set({ description: event.currentTarget.value })}
        />
        <div class="media-form-tools">
          {media.type === "image" && (
            <Tool
              icon="eye"
              label={t("compose.focus")}
              pressed={isFocusing}
              onClick={() => setFocusing(!isFocusing)}
            />
          )}
          {count > 1 && (
            <>
              <Tool
                icon="back"
                class="earlier"
                label={t("compose.earlier")}
                disabled={index === 0}
                onClick={() => onMove(index, index - 1)}
              />
              <Tool
                icon="next"
                class="later"
                label={t("compose.later")}
                disabled={index === count - 1}
                onClick={() => onMove(index, index + 1)}
              />
            </>
          )}
          <Tool
            icon="close"
            label={t("compose.media_remove", { count: index + 1 })}
            onClick={() =>
              changePart(session, part.key, (now) => ({
                media: now.media.filter(({ id }) => id !== media.id),
              }))
            }
          />
        </div>
      </div>
      {isFocusing && (
        <>
          <p class="soft small">{t("compose.focus_help")}</p>
          <FocusPad media={media} onChange={(focus) => set({ focus })} />
        </>
      )}
    </li>
  );
};

const UploadRow = ({ session, upload }: { session: Session; upload: Upload }) => {
  const { t } = useApp();
  const { file, progress, fault, key } = upload;
  return (
    <li class="media-form-item upload">
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
              {fault}
            </span>
            <button
              type="button"
              class="button plain small"
              onClick={() => retryUpload(session, upload)}
            >
              {t("compose.retry")}
            </button>
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

export const MediaForm = ({ session, part }: { session: Session; part: Part }) => {
  const { t } = useApp();
  const list = useRef<HTMLUListElement>(null);
  const drag = useRef<number | null>(null);
  const [moved, setMoved] = useState("");
  const uploads = session.uploads.value.filter(({ partKey }) => partKey === part.key);
  const move = (from: number, to: number): void => {
    const name = to < from ? ".earlier" : ".later";
    changePart(session, part.key, ({ media }) => ({
      media: media.toSpliced(from, 1).toSpliced(to, 0, media[from]!),
    }));
    setMoved(t("compose.moved", { count: to + 1, total: part.media.length }));
    requestAnimationFrame(() => {
      const tools = list.current?.children[to];
      const button = tools?.querySelector<HTMLButtonElement>(name);
      (button?.disabled ? tools?.querySelector<HTMLElement>("textarea") : button)?.focus();
    });
  };
  if (part.media.length === 0 && uploads.length === 0) return null;
  return (
    <>
      <ul class="media-form" ref={list} aria-label={t("compose.media")}>
        {part.media.map((media, index) => (
          <Item
            key={media.id}
            session={session}
            part={part}
            media={media}
            index={index}
            onMove={move}
            drag={drag}
          />
        ))}
        {uploads.map((upload) => (
          <UploadRow key={upload.key} session={session} upload={upload} />
        ))}
      </ul>
      <span class="invisible" role="status">
        {moved}
      </span>
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
