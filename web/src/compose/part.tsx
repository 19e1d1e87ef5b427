// Edits one post of a draft: its text with suggestions, warning, media, poll, and the tools to add them.

import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FunctionComponent } from "preact";
import { useApp } from "../app.ts";
import { Suggestions, useCompletion } from "./completion.tsx";
import { Counter } from "./counter.tsx";
import { countCharacters, excessFrom } from "./count.ts";
import { isWordless } from "./draft.ts";
import type { Part } from "./draft.ts";
import { useCharacters } from "./limit.ts";
import { EventForm, eventFieldOf } from "./event-form.tsx";
import { Preview, PreviewTool, isMarkdown } from "./markdown.tsx";
import { MediaForm } from "./media-form.tsx";
import { PollForm, newPoll } from "./poll-form.tsx";
import { addPart, changePart, removePart } from "./session.ts";
import type { Session } from "./at-work.ts";
import { Tool, focusOpened } from "./tool.tsx";
import { addFiles } from "./uploads.ts";

const FileTool = ({ onFiles }: { onFiles(files: File[]): void }) => {
  const { t } = useApp();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="file-input"
        type="file"
        multiple
        hidden
        accept="image/*,video/*,audio/*"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <Tool icon="picture" label={t("compose.add_media")} onClick={() => input.current!.click()} />
    </>
  );
};

type Picker = FunctionComponent<{ onPick(text: string): void; onClose(): void }>;

/** Inserts a text at the cursor. */
const insert = (field: HTMLTextAreaElement, text: string): { text: string; cursor: number } => {
  const { value, selectionStart, selectionEnd } = field;
  return {
    text: value.slice(0, selectionStart) + text + value.slice(selectionEnd),
    cursor: selectionStart + text.length,
  };
};

const WarningField = ({ session, part }: { session: Session; part: Part }) => {
  const { t } = useApp();
  return (
    <input
      class="warning-field"
      type="text"
      value={part.warning ?? ""}
      placeholder={t("compose.warning_hint")}
      aria-label={t("compose.warning")}
      dir="auto"
      onInput={(event) => {
        const warning = event.currentTarget.value;
        changePart(session, part.key, () => ({ warning }));
      }}
    />
  );
};

type Props = {
  session: Session;
  part: Part;
  placeholder: string;
  label: string;
  /** Cursor position when it opens; null to leave the focus elsewhere. */
  cursor: number | null;
  /** True when another post may follow. */
  mayContinue: boolean;
  onActive(key: string): void;
  onAdded(key: string): void;
};

/** A text field, and what changes its text; with a place for the cursor at once, before anything more is typed. */
const useField = (session: Session, part: Part, cursor: number | null) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const set = (text: string, at?: number): void => {
    if (at !== undefined && field.current) {
      field.current.value = text;
      field.current.focus();
      field.current.setSelectionRange(at, at);
    }
    changePart(session, part.key, () => ({ text }));
  };
  // This runs at once, so that each key typed while the plain form is replaced goes into one or the other.
  useLayoutEffect(() => {
    if (cursor === null) return;
    // What belongs to the field becomes visible, as far as there is room.
    field.current?.form?.scrollIntoView({ block: "nearest" });
    field.current?.focus();
    field.current?.setSelectionRange(cursor, cursor);
  }, []);
  return { field, set };
};

const Emojis = ({ onPick, onClose }: { onPick(text: string): void; onClose(): void }) => {
  const { t } = useApp();
  const [Grid, setGrid] = useState<Picker | null>(null);
  useEffect(() => {
    void import("./emoji-picker.tsx").then(({ EmojiPicker }) => setGrid(() => EmojiPicker));
  }, []);
  return Grid ? (
    <Grid onPick={onPick} onClose={onClose} />
  ) : (
    <p class="soft">{t("compose.loading")}</p>
  );
};

/** Marks what is too much of the text, by a copy of it behind the field. */
const Excess = ({ part, limit, scroll }: { part: Part; limit: number; scroll: number }) => {
  const { site } = useApp();
  const { linkCharacters } = site.limits;
  const copy = useRef<HTMLDivElement>(null);
  const from = excessFrom({ text: part.text, warning: part.warning ?? "", linkCharacters }, limit);
  useLayoutEffect(() => {
    if (copy.current) copy.current.scrollTop = scroll;
  });
  return (
    <div class="composer-excess" ref={copy} dir="auto" aria-hidden="true">
      {part.text.slice(0, from)}
      <mark>{part.text.slice(from)}</mark>
      {/* A line that ends the text has a height in the field. */}
      {"\u200b"}
    </div>
  );
};

const Tools = ({
  session,
  part,
  hasEmojis,
  onEmojis,
  mayContinue,
  onAdded,
}: Pick<Props, "session" | "part" | "mayContinue" | "onAdded"> & {
  hasEmojis: boolean;
  onEmojis(): void;
}) => {
  const { t } = useApp();
  const hasEvent = Boolean(part.event);
  const set = (more: Partial<Part>): void => changePart(session, part.key, () => more);
  return (
    <>
      <FileTool onFiles={(files) => void addFiles(session, part.key, files)} />
      <Tool
        icon="poll"
        label={t(hasEvent ? "compose.poll_or_event" : "compose.poll")}
        pressed={part.poll !== null}
        disabled={hasEvent}
        onClick={(button) => {
          set({ poll: part.poll ? null : newPoll() });
          focusOpened(button, ".poll-option input");
        }}
      />
      <Tool
        icon="warning"
        label={t("compose.warning")}
        pressed={part.warning !== null}
        onClick={(button) => {
          set({ warning: part.warning === null ? "" : null });
          focusOpened(button, ".warning-field");
        }}
      />
      <Tool icon="smile" label={t("compose.emoji")} pressed={hasEmojis} onClick={onEmojis} />
      {mayContinue && (
        <Tool
          icon="plus"
          label={t("compose.add_post")}
          onClick={() => onAdded(addPart(session, part))}
        />
      )}
    </>
  );
};

export const PartView = ({
  session,
  part,
  placeholder,
  label,
  cursor,
  onActive,
  ...more
}: Props) => {
  const { site, t } = useApp();
  const id = useId();
  const { field, set } = useField(session, part, cursor);
  const completion = useCompletion(`${id}-list`, { text: part.text, onChange: set });
  const [hasEmojis, setEmojis] = useState(false);
  const [hasPreview, setPreview] = useState(false);
  const { linkCharacters } = site.limits;
  const used = countCharacters(part.text, part.warning ?? "", linkCharacters);
  const limit = useCharacters();
  const [scroll, setScroll] = useState(0);
  const closeEmojis = (): void => {
    setEmojis(false);
    field.current?.focus();
  };
  const pick = (emoji: string): void => {
    const done = insert(field.current!, emoji);
    setEmojis(false);
    set(done.text, done.cursor);
  };
  const removeEvent = (): void => {
    changePart(session, part.key, () => ({ event: null }));
    field.current?.focus();
  };
  const { parts, quoted } = session.draft.value;
  const isOnly = parts.length === 1;
  const isMissing = session.isTried.value && isWordless(part, parts[0] === part ? quoted : null);
  return (
    <div class="composer-part" onFocusCapture={() => onActive(part.key)}>
      {part.warning !== null && <WarningField session={session} part={part} />}
      <div class="composer-text">
        {used > limit && <Excess part={part} limit={limit} scroll={scroll} />}
        <textarea
          ref={field}
          value={part.text}
          rows={2}
          readOnly={session.isSending.value}
          placeholder={placeholder}
          aria-label={label}
          aria-describedby={isMissing ? `${id}-missing ${id}-count` : `${id}-count`}
          aria-invalid={isMissing}
          dir="auto"
          {...completion.attributes}
          onInput={(event) => {
            set(event.currentTarget.value);
            completion.look(event.currentTarget);
          }}
          onClick={(event) => completion.look(event.currentTarget)}
          onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
          onBlur={completion.close}
          onKeyDown={completion.onKeyDown}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return;
            event.preventDefault();
            void addFiles(session, part.key, files);
          }}
        />
        <Suggestions completion={completion} field={field.current} />
      </div>
      {isMissing && (
        <p id={`${id}-missing`} class="over small" role="alert">
          {t("refusal.text_blank")}
        </p>
      )}
      {hasPreview && isMarkdown(session.draft.value) && <Preview session={session} part={part} />}
      <MediaForm session={session} part={part} />
      {part.poll && (
        <PollForm
          poll={part.poll}
          isTried={session.isTried.value}
          onChange={(poll) => {
            changePart(session, part.key, () => ({ poll }));
            if (!poll) field.current?.focus();
          }}
        />
      )}
      {part.event && (
        <EventForm
          id={eventFieldOf(part)}
          event={part.event}
          onChange={(event) => changePart(session, part.key, () => ({ event }))}
          onRemove={removeEvent}
        />
      )}
      <div class="composer-tools">
        <Tools
          session={session}
          part={part}
          hasEmojis={hasEmojis}
          onEmojis={() => (hasEmojis ? closeEmojis() : setEmojis(true))}
          {...more}
        />
        {isMarkdown(session.draft.value) && (
          <PreviewTool hasPreview={hasPreview} onPreview={setPreview} />
        )}
        {!isOnly && (
          <Tool
            icon="close"
            label={t("compose.remove_post")}
            onClick={() => removePart(session, part.key)}
          />
        )}
        <Counter used={used} limit={limit} id={`${id}-count`} />
      </div>
      {hasEmojis && <Emojis onPick={pick} onClose={closeEmojis} />}
    </div>
  );
};
