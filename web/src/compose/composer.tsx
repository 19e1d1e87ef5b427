// Draws where posts are written: without scripts an ordinary form; with them the editor replaces it as soon as somebody
// begins to write, and takes over its content.

import { newId } from "../api/new-id.ts";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addressOf, useApp } from "../app.ts";
import type { App } from "../app.ts";
import { mentionsOf } from "./mentions.ts";
import { narrower, visibilitiesFrom, visibilityOf } from "../api/visibility.ts";
import type { Visibility } from "../api/visibility.ts";
import type { List } from "../api/entities.ts";
import { CircleLists } from "./circle.tsx";
import { useCharacters } from "./limit.ts";
import { hasDraft, listWaiting, revision } from "./browser-drafts.ts";
import { opened } from "./open.ts";
import type { Opening } from "./open.ts";
import type { Outcome } from "./at-work.ts";
import type { Session } from "./at-work.ts";
import type { StoredStatus } from "../store/store.ts";
import { Avatar, fullHandle } from "../elements/names.tsx";
import { HeldNote } from "./held-note.tsx";
import { withTexts } from "../texts/texts.ts";

type EditorView = FunctionComponent<{
  session: Session;
  cursor: number | null;
  isApart?: boolean;
  onDone(outcome: Outcome): void;
  onCancel(): void;
}>;

type Loaded = { Editor: EditorView; session: Session };

/** Loads the editor, which is a file of its own, and its draft. */
export const loadEditor = async (app: App, opening: Opening): Promise<Loaded> => {
  const { Editor, openToWrite } = await withTexts(import("./editor.tsx"));
  return { Editor, session: await openToWrite(app, opening) };
};

/** Draws the posts that wait for the server, by a file that is loaded where there are any. */
export const Waiting = () => {
  const { me } = useApp();
  const [View, setView] = useState<FunctionComponent | null>(null);
  useEffect(() => {
    if (View || !me || listWaiting(localStorage, me.id).length === 0) return;
    withTexts(import("./editor.tsx")).then(
      ({ WaitingPosts }) => setView(() => WaitingPosts),
      () => {},
    );
  }, [revision.value]);
  return View && <View />;
};

export type ComposerProps = {
  opening?: Opening;
  /** The post that is replied to. */
  parent?: StoredStatus;
  /** Shows all fields, and loads the editor at once. */
  isOpen?: boolean;
  /** Shows what is replied to. */
  isApart?: boolean;
  /** One's lists, of which a circle may be chosen without scripts. */
  lists?: readonly List[];
  /** Further fields of the form without scripts. */
  fields?: ComponentChildren;
  onDone?(outcome: Outcome): void;
  onCancel?(): void;
};

type FormProps = Required<Pick<ComposerProps, "opening" | "isOpen" | "lists">> & {
  parent: StoredStatus | undefined;
  fields: ComponentChildren;
  onBegin(form: HTMLFormElement): void;
};

const Field = ({ name, value }: { name: string; value: string | null | undefined }) =>
  value ? <input type="hidden" name={name} value={value} /> : null;

const AudienceField = ({
  id,
  widest,
  chosen,
  hasLists,
}: {
  id: string;
  widest: Visibility;
  chosen: Visibility;
  hasLists: boolean;
}) => {
  const { t } = useApp();
  const isOffered = (each: Visibility) =>
    each !== "circle" || hasLists || chosen === each || widest === each;
  return (
    <>
      <label class="invisible" for={`audience-${id}`}>
        {t("compose.audience")}
      </label>
      <select id={`audience-${id}`} name="visibility">
        {visibilitiesFrom(widest)
          .filter(isOffered)
          .map((each) => (
            <option key={each} value={each} selected={each === chosen}>
              {t(`visibility.${each}`)}
            </option>
          ))}
      </select>
    </>
  );
};

/**
 * Puts the cursor after the mentions at the beginning, if the field was reached by keys or a button; a press puts it
 * elsewhere.
 */
const writeAfter = (field: EventTarget | null): void => {
  if (!(field instanceof HTMLTextAreaElement) || field.selectionEnd > 0) return;
  field.setSelectionRange(field.value.length, field.value.length);
};

const PlainForm = ({ opening, parent, isOpen, lists, fields, onBegin }: FormProps) => {
  const { me, site, t, formToken, place } = useApp();
  const widest = parent ? visibilityOf(parent) : "public";
  const mayChoose = lists.length > 0 && widest !== "circle";
  const { purpose, text = "", visibility } = opening;
  const id = parent?.id ?? "new";
  const characters = useCharacters();
  // A form that is sent twice is one post.
  const key = useMemo(() => newId(), []);
  const usual = visibility ?? me!.source.privacy;
  const begin = (parent ? mentionsOf(parent, me!.acct) : "") + text;
  const home = parent ? `/@${parent.account.acct}/${parent.id}` : "/home";
  return (
    <form
      class="composer"
      method="post"
      action="/web/act/statuses"
      data-act="post"
      encType={fields ? "multipart/form-data" : undefined}
      onFocusIn={(event) => {
        writeAfter(event.target);
        onBegin(event.currentTarget);
      }}
    >
      <Field name="form_token" value={formToken} />
      <Field name="back" value={place.path === "/compose" ? home : addressOf(place)} />
      <Field name="idempotency_key" value={key} />
      <noscript>
        <Field name="done" value={t("compose.posted")} />
      </noscript>
      <Field name="in_reply_to_id" value={parent?.id} />
      <Field name="quoted_status_id" value={purpose.kind === "quote" ? purpose.id : null} />
      <Avatar account={me!} />
      <div class="composer-body" data-hint={begin && parent ? t("compose.reply") : undefined}>
        <label class="invisible" for={`text-${id}`}>
          {parent
            ? t("compose.reply_to", { name: fullHandle(parent.account, site.domain) })
            : t("compose.text")}
        </label>
        <textarea
          id={`text-${id}`}
          name="status"
          rows={isOpen ? 4 : 2}
          maxLength={characters * 4}
          placeholder={t(parent ? "compose.reply" : "compose.placeholder")}
          dir="auto"
          defaultValue={begin}
        />
        {fields}
        {mayChoose && <CircleLists lists={lists} chosen={opening.lists ?? []} />}
        <div class="composer-tools">
          <AudienceField
            id={id}
            widest={widest}
            chosen={parent ? narrower(widest, usual) : usual}
            hasLists={mayChoose}
          />
          {!fields && (
            <noscript>
              <a href={parent ? `/compose?in_reply_to=${parent.id}` : "/compose"}>
                {t("compose.more")}
              </a>
            </noscript>
          )}
          <button class="button">{t(parent ? "compose.post_reply" : "compose.post")}</button>
        </div>
      </div>
    </form>
  );
};

const NEW: Opening = { purpose: { kind: "new" } };

/** Moves what was typed while the editor was loading into its draft. */
const takeOver = ({ session }: Loaded, field: HTMLTextAreaElement, begin: string): void => {
  const [part, ...others] = session.draft.peek().parts;
  if (field.value === begin || part!.text === field.value) return;
  const text = part!.text.trim() === begin.trim() ? field.value : `${part!.text}\n${field.value}`;
  session.draft.value = { ...session.draft.peek(), parts: [{ ...part!, text }, ...others] };
};

export const Composer = ({
  opening = NEW,
  parent,
  isOpen = false,
  isApart = false,
  lists = [],
  fields,
  onDone,
  onCancel,
}: ComposerProps) => {
  const app = useApp();
  const { me } = app;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [loaded, setLoaded] = useState<(Loaded & { cursor: number | null }) | null>(null);
  // What the address suggested was sent already where a post waits.
  const begun = outcome?.isWaiting ? { purpose: opening.purpose } : opening;
  const place = useRef<HTMLDivElement>(null);
  const isLoading = useRef(false);
  const load = async (form: HTMLFormElement | null, isFocused: boolean): Promise<void> => {
    if (isLoading.current) return;
    isLoading.current = true;
    try {
      const next = await loadEditor(app, begun);
      const field = form?.querySelector("textarea");
      if (field) takeOver(next, field, field.defaultValue);
      const [part] = next.session.draft.peek().parts;
      const isHere = field !== null && field === document.activeElement;
      const cursor = isHere ? field!.selectionStart : part!.text.length;
      const at = field?.value === part!.text ? cursor : part!.text.length;
      setLoaded({ ...next, cursor: isFocused || isHere ? at : null });
    } catch {
      // The plain form stays, and works.
    } finally {
      isLoading.current = false;
    }
  };
  const find = () => place.current?.querySelector("form") ?? null;
  const isSeen = () => place.current?.checkVisibility() ?? false;
  const isNew = opening.purpose.kind === "new";
  // The same draft is written in one place: while a sheet above the page has it, this one is closed.
  const isAbove = isNew && opened.value?.purpose.kind === "new";
  useEffect(() => {
    if (isAbove) setLoaded(null);
    else if (isOpen) void load(find(), true);
    else if (me && isSeen() && hasDraft(localStorage, me.id, opening.purpose))
      void load(find(), false);
  }, [isAbove]);
  const isReplying = parent !== undefined && isOpen && loaded !== null;
  useEffect(() => {
    if (isReplying) place.current?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, [isReplying]);
  // Of a reply to a deleted post only what is begun stays.
  if (!me || (parent?.isGone && !loaded)) return null;
  const leave = (next: Outcome | null): void => {
    setLoaded(null);
    setOutcome(next);
    document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
  };
  /** Leaves a composer within a page by Escape, for the keys of the page; what is written stays. */
  const leaveByKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || app.place.path === "/compose") return;
    if (document.querySelector(":popover-open")) return;
    event.preventDefault();
    const around =
      place.current?.closest<HTMLElement>("article") ??
      document.querySelector<HTMLElement>("#main");
    around?.focus({ preventScroll: true });
  };
  return (
    <div
      class={isNew && !isOpen ? "composer-place on-page" : "composer-place"}
      ref={place}
      onKeyDown={leaveByKey}
    >
      {isNew && !isAbove && <Waiting />}
      {outcome?.isHeld && !loaded && <HeldNote />}
      {loaded ? (
        <div class="composer">
          <Avatar account={me} />
          <loaded.Editor
            session={loaded.session}
            cursor={loaded.cursor}
            isApart={isApart}
            onDone={(next) => (next.isWaiting || !onDone ? leave(next) : onDone(next))}
            onCancel={onCancel ?? (() => leave(null))}
          />
        </div>
      ) : (
        <PlainForm
          opening={begun}
          parent={parent}
          isOpen={isOpen}
          lists={lists}
          fields={fields}
          onBegin={(form) => void load(form, false)}
        />
      )}
    </div>
  );
};
