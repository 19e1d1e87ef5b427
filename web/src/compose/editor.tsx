// The composer with all that it can do; loaded when somebody begins to write (see compose/composer.tsx).

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { SLOW_MS } from "../api/request.ts";
import "../styles/compose.css";
import { wordsFor } from "../text/fault.ts";
import type { Key } from "../texts/texts.ts";
import { say } from "../window/messages.ts";
import { ask } from "../window/questions.ts";
import { deleteForRedraft } from "./begin.ts";
import { Audience, Reach } from "./audience.tsx";
import { Decision } from "../elements/decision.tsx";
import { Icon } from "../elements/icons.tsx";
import { isOnline } from "../window/live.ts";
import { CircleChoice } from "./circle.tsx";
import { countCharacters } from "./count.ts";
import { About } from "./about.tsx";
import { problemOf } from "./event.ts";
import {
  choosesCircle,
  hasContent,
  isEmpty,
  isWordless,
  MAX_PARTS,
  pollProblemOf,
} from "./draft.ts";
import type { Draft, Part } from "./draft.ts";
import { GoneNote, useGone } from "./gone.tsx";
import { useCharacters } from "./limit.ts";
import { MoreMenu, Unusual } from "./more.tsx";
import { PartView } from "./part.tsx";
import { Schedule } from "./schedule.tsx";
import { sendDraft } from "./send.ts";
import type { Outcome } from "./at-work.ts";
import { change, endSession, leaveSession, openSession, openToWrite, setAside } from "./session.ts";
import type { Session } from "./at-work.ts";
import { addFiles } from "./uploads.ts";

export { openToWrite };
export { WaitingPosts } from "./waiting-posts.tsx";

type Limits = ReturnType<typeof useApp>["site"]["limits"];

const isFine = (part: Part, quoted: string | null, limits: Limits): boolean => {
  const { characters, linkCharacters } = limits;
  if (!hasContent(part, quoted) || (part.event && problemOf(part.event))) return false;
  if (countCharacters(part.text, part.warning ?? "", linkCharacters) > characters) return false;
  return !part.poll || pollProblemOf(part.poll, limits) === null;
};

const isComplete = (draft: Draft, limits: Limits): boolean =>
  !(choosesCircle(draft) && !draft.lists?.length) &&
  // The mentions that a reply begins with say nothing.
  !(draft.purpose.kind === "reply" && draft.quoted === null && isEmpty(draft)) &&
  draft.parts.every((part, index) => isFine(part, index === 0 ? draft.quoted : null, limits));

/** Returns why it cannot be posted as it is; null if it can. */
const whyNot = (session: Session, draft: Draft, limits: Limits): Key | null => {
  const uploads = session.uploads.value;
  if (uploads.some(({ fault }) => fault !== null)) return "compose.upload_remove";
  if (uploads.length > 0) return "compose.upload_wait";
  return isComplete(draft, limits) ? null : "compose.incomplete";
};

/** Whether a field says what a poll or event lacks, or what is wrong with it; a press then leads there. */
const hasWrongField = ({ parts, quoted }: Draft, limits: Limits): boolean =>
  parts.some(
    (part, index) =>
      (part.event && problemOf(part.event) !== null) ||
      (part.poll && pollProblemOf(part.poll, limits) !== null) ||
      isWordless(part, index === 0 ? quoted : null),
  );

/** Leads to the first wrong field, which is marked by the next drawing. */
const leadToFault = (form: HTMLFormElement): void => {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
};

const undescribed = ({ parts }: Draft): number =>
  parts.flatMap(({ media }) => media).filter(({ description }) => description.trim() === "").length;

const buttonKey = ({ purpose, inReplyTo, parts, scheduledAt }: Draft, isSending: boolean) => {
  if (isSending) return "compose.sending";
  if (purpose.kind === "edit") return "compose.save";
  if (scheduledAt) return "compose.schedule";
  if (!isOnline.value) return "compose.post_later";
  if (parts.length > 1) return "compose.post_all";
  return purpose.kind === "reply" && inReplyTo !== null ? "compose.post_reply" : "compose.post";
};

const useSlow = (isBusy: boolean): boolean => {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isBusy) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
  return isBusy && isSlow;
};

/** Says what becomes of the post: that it is on its way for long, waits no more, or was refused, and why. */
const StateView = ({ session, gone }: { session: Session; gone: ReturnType<typeof useGone> }) => {
  const { t } = useApp();
  const trouble = session.trouble.value;
  const isSlow = useSlow(session.isSending.value);
  return (
    <div class="composer-trouble" role="alert">
      {isSlow && (
        <p class="notice composer-state">
          <Icon name="clock" />
          <span>{t("wait.sending")}</span>
        </p>
      )}
      {gone && !isSlow && <GoneNote session={session} gone={gone} />}
      {trouble && !gone && !isSlow && (
        <p class={trouble.isNote ? "notice composer-state" : "notice bad composer-state"}>
          <Icon name={trouble.isNote ? "clock" : "warning"} />
          <span>
            {trouble.text}{" "}
            {trouble.isSession && (
              <a href="/auth/sign_in" target="_blank" rel="opener">
                {t("compose.sign_in")}
              </a>
            )}
          </span>
          {!trouble.isSession && !trouble.isNote && !session.mustDelete.value && (
            <button disabled={session.isSending.value}>{t("compose.retry")}</button>
          )}
        </p>
      )}
    </div>
  );
};

const Parts = ({
  session,
  cursor,
  onActive,
}: {
  session: Session;
  cursor: number | null;
  onActive(key: string): void;
}) => {
  const { t } = useApp();
  const { parts, purpose } = session.draft.value;
  const [added, setAdded] = useState<string | null>(null);
  const isEdit = purpose.kind === "edit";
  return (
    <>
      {parts.map((part, index) => (
        <PartView
          key={part.key}
          session={session}
          part={part}
          placeholder={t(
            index > 0
              ? "compose.continue"
              : purpose.kind === "reply"
                ? "compose.reply"
                : "compose.placeholder",
          )}
          label={
            parts.length > 1
              ? t("compose.text_part", { count: index + 1, total: parts.length })
              : t("compose.text")
          }
          cursor={part.key === added ? 0 : index === 0 ? cursor : null}
          mayContinue={!isEdit && index === parts.length - 1 && parts.length < MAX_PARTS}
          onActive={onActive}
          onAdded={setAdded}
        />
      ))}
    </>
  );
};

type Props = {
  session: Session;
  /** Cursor position when it opens; null to leave the focus elsewhere. */
  cursor: number | null;
  /** Shows what is replied to, where that is not visible. */
  isApart?: boolean;
  onDone(outcome: Outcome): void;
  onCancel(): void;
};

/** Asks before a post is deleted and written anew, since that loses others' interactions with it. */
const ConfirmRedraft = ({ session }: Pick<Props, "session">) => {
  const { t } = useApp();
  const confirm = async (): Promise<void> => {
    const { app, draft, drafts } = session;
    const { purpose } = draft.peek();
    session.isSending.value = true;
    // The draft is kept before anything is deleted.
    drafts.keep(draft.peek());
    try {
      await deleteForRedraft(app, (purpose as { id: string }).id);
      session.mustDelete.value = false;
    } catch (error) {
      drafts.forget(purpose);
      session.trouble.value = { text: wordsFor(t, error) };
    } finally {
      session.isSending.value = false;
    }
  };
  return (
    <div class="composer-confirm">
      <p>{t("compose.redraft_sure")}</p>
      <StateView session={session} gone={null} />
      <Decision
        back="/home"
        tone="final"
        isDisabled={session.isSending.value}
        onAct={() => void confirm()}
      >
        {t("compose.redraft")}
      </Decision>
    </div>
  );
};

/** Milliseconds before which nobody has read the reminder: what comes sooner is the second of two quick presses. */
const READ_MS = 1000;

const Reminder = ({ count }: { count: number }) => {
  const { t } = useApp();
  return (
    <p class="notice" role="alert">
      {t("compose.undescribed", { count })}
    </p>
  );
};

/** Handles files that are dragged onto the composer. */
const useDrop = (onFiles: (files: File[]) => void) => {
  const [isOver, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  return {
    isOver,
    listeners: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer!.files]);
      },
    },
  };
};

export const Editor = (props: Props) => {
  const app = useApp();
  /** Later sessions of the composer: each began when the one before was set aside. */
  const [later, setLater] = useState<readonly Session[]>([]);
  const session = later.at(-1) ?? props.session;
  const anew = async (): Promise<void> => {
    setAside(session);
    say(app.t("compose.set_aside"));
    setLater([...later, await openSession(app, { purpose: { kind: "new" } })]);
  };
  return session.mustDelete.value ? (
    <ConfirmRedraft session={props.session} />
  ) : (
    <OpenEditor
      {...props}
      key={later.length}
      session={session}
      cursor={later.length > 0 ? 0 : props.cursor}
      onAnew={() => void anew()}
    />
  );
};

type OpenProps = Props & { onAnew(): void };

/** Tells the head that the button is in on phones how much room it takes from the title. */
const useRoomInHead = (...words: unknown[]) => {
  const end = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const around = end.current?.closest<HTMLElement>("dialog, .column");
    around?.style.setProperty("--button", `${end.current!.offsetWidth}px`);
  }, words);
  return end;
};

const OpenEditor = ({ session, cursor, isApart = false, onDone, onCancel, onAnew }: OpenProps) => {
  const { site, t } = useApp();
  const draft = session.draft.value;
  const [active, setActive] = useState(draft.parts[0]!.key);
  const [remindedAt, setReminded] = useState<number | null>(null);
  const isReminded = remindedAt !== null;
  const missing = undescribed(draft);
  const limits = { ...site.limits, characters: useCharacters() };
  const isSending = session.isSending.value;
  const gone = useGone(session);
  const problem = whyNot(session, draft, limits);
  const isIdle = !isSending && gone === null;
  const isReady = problem === null && isIdle;
  const isFaulty = problem === "compose.incomplete" && isIdle && hasWrongField(draft, limits);
  const target = draft.parts.find(({ key }) => key === active) ?? draft.parts.at(-1)!;
  const { isOver, listeners } = useDrop((files) => void addFiles(session, target.key, files));
  const asksAgain = isReminded && missing > 0 && !isSending;
  const key = buttonKey(draft, isSending);
  const end = useRoomInHead(asksAgain, key);
  useEffect(() => () => leaveSession(session), []);
  const outcome = session.outcome.value;
  useEffect(() => {
    if (outcome) onDone(outcome);
  }, [outcome]);
  const post = async (form: HTMLFormElement): Promise<void> => {
    session.isTried.value = true;
    if (isFaulty) return leadToFault(form);
    if (!isReady) return problem && isIdle ? say(t(problem)) : undefined;
    if (missing > 0 && !isReminded) return setReminded(Date.now());
    if (missing > 0 && Date.now() - remindedAt! < READ_MS) return;
    await sendDraft(session);
  };
  const discard = async (): Promise<void> => {
    const yes = t("compose.discard");
    const question = { title: t("compose.discard_sure"), text: t("compose.discard_text"), yes };
    if (!isEmpty(draft) && !(await ask(question))) return;
    endSession(session);
    onCancel();
  };
  return (
    <form
      class={isOver ? "editor dropping" : "editor"}
      {...listeners}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void post(event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (!event.repeat) event.currentTarget.requestSubmit();
      }}
    >
      <About draft={draft} isApart={isApart} />
      <Parts session={session} cursor={cursor} onActive={setActive} />
      {draft.scheduledAt !== "" && <Schedule session={session} />}
      <StateView session={session} gone={gone} />
      {isReminded && missing > 0 && <Reminder count={missing} />}
      {draft.purpose.kind !== "edit" && choosesCircle(draft) && (
        <CircleChoice
          chosen={draft.lists ?? []}
          onChange={(lists) => change(session, () => ({ lists }))}
        />
      )}
      <Unusual session={session} />
      <Reach draft={draft} />
      <div class="composer-bottom">
        <Audience
          value={draft.visibility}
          widest={draft.widest}
          disabled={draft.purpose.kind === "edit"}
          onChange={(visibility) => change(session, () => ({ visibility }))}
        />
        <MoreMenu
          session={session}
          target={target}
          onDiscard={() => void discard()}
          onAnew={onAnew}
        />
        <div class="composer-end" ref={end}>
          <button
            class="button"
            disabled={!isReady && !isFaulty}
            title={t(problem ?? "compose.post_keys")}
          >
            {t(asksAgain ? "compose.post_anyway" : key)}
          </button>
        </div>
      </div>
    </form>
  );
};
