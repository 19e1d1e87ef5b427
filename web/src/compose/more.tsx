// A menu of rarely used choices; choices that differ from the usual are named beside it.

import { useId } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { QUOTE_POLICIES, REPLY_POLICIES, isOpenToAll } from "../api/visibility.ts";
import type { QuotePolicy, ReplyPolicy } from "../api/visibility.ts";
import { Unfold } from "../elements/floating.tsx";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { blank } from "./blank.ts";
import { isEmpty } from "./draft.ts";
import type { Draft, Part } from "./draft.ts";
import { EndSelect, endText } from "./end.tsx";
import { eventFieldOf } from "./event-form.tsx";
import { newEvent } from "./event.ts";
import { LanguageSelect, useLanguageName } from "./language.tsx";
import { isMarkdown } from "./markdown.tsx";
import { closeComposer } from "./open.ts";
import { publishLater } from "./schedule.tsx";
import { change, changePart, leaveSession } from "./session.ts";
import type { Session } from "./at-work.ts";
import { focusOpened } from "./tool.tsx";

const Row = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <label class="choice-row">
    <span>{label}</span>
    {children}
  </label>
);

type SelectProps<V extends string> = {
  label: string;
  kind: "reply" | "quote";
  values: readonly V[];
  value: V;
  disabled?: boolean;
  onChange(value: V): void;
};

/** Chooses who may do something with the post, and explains the choice below. */
const PolicySelect = <V extends ReplyPolicy | QuotePolicy>({
  label,
  kind,
  values,
  value,
  disabled = false,
  onChange,
}: SelectProps<V>) => {
  const { t } = useApp();
  const id = useId();
  const textOf = (each: string) => t(`compose.${kind}_${each}` as "compose.reply_public");
  return (
    <>
      <Row label={label}>
        <select
          value={value}
          disabled={disabled}
          aria-describedby={id}
          onChange={(event) => onChange(event.currentTarget.value as V)}
        >
          {values.map((each) => (
            <option key={each} value={each}>
              {textOf(each)}
            </option>
          ))}
        </select>
      </Row>
      <small id={id} class="choice-hint soft">
        {textOf(`${value}_hint`)}
      </small>
    </>
  );
};

const replyPolicyOf = ({ replyPolicy }: Draft): ReplyPolicy => replyPolicy ?? "public";

/** Returns the quote policy; a post that not everybody may see is only quoted by its author. */
const quotePolicyOf = (draft: Draft): QuotePolicy =>
  isOpenToAll(draft) ? draft.quotePolicy : "nobody";

const Choices = ({ session }: { session: Session }) => {
  const { t } = useApp();
  const draft = session.draft.value;
  const set = (more: Partial<Draft>): void => change(session, () => more);
  return (
    <>
      {draft.visibility !== "direct" && (
        <PolicySelect
          label={t("compose.reply_policy")}
          kind="reply"
          values={REPLY_POLICIES}
          value={replyPolicyOf(draft)}
          onChange={(replyPolicy) => set({ replyPolicy })}
        />
      )}
      <PolicySelect
        label={t("compose.quote_policy")}
        kind="quote"
        values={QUOTE_POLICIES}
        value={quotePolicyOf(draft)}
        disabled={!isOpenToAll(draft)}
        onChange={(quotePolicy) => set({ quotePolicy })}
      />
      <Row label={t("compose.end")}>
        <EndSelect draft={draft} onChange={(endsAfter) => set({ endsAfter })} />
      </Row>
      <Row label={t("compose.language")}>
        <LanguageSelect value={draft.language} onChange={(language) => set({ language })} />
      </Row>
      <Row label={t("compose.markdown")}>
        <input
          type="checkbox"
          checked={isMarkdown(draft)}
          onChange={({ currentTarget: { checked } }) =>
            set({ contentType: checked ? "text/markdown" : "text/plain" })
          }
        />
      </Row>
    </>
  );
};

type ActionProps = {
  icon: IconName;
  text: string;
  isBad?: boolean;
  disabled?: boolean;
  onClick(button: HTMLElement): void;
};

const Action = ({ icon, text, isBad = false, disabled = false, onClick }: ActionProps) => (
  <button
    type="button"
    class={isBad ? "menu-item bad" : "menu-item"}
    disabled={disabled}
    onClick={({ currentTarget }) => onClick(currentTarget)}
  >
    <Icon name={icon} />
    <span>{text}</span>
  </button>
);

type MenuProps = {
  session: Session;
  /** The part with the cursor. */
  target: Part;
  onDiscard(): void;
  /** Sets the draft of a new post aside for another one. */
  onAnew(): void;
};

const Actions = ({ session, target, onDiscard, onAnew, close }: MenuProps & { close(): void }) => {
  const { site, t } = useApp();
  /** Sends the draft to the server before the list of drafts is asked for, and closes what is above the page. */
  const leave = (): void => {
    leaveSession(session);
    closeComposer();
  };
  const draft = session.draft.value;
  const { purpose, scheduledAt } = draft;
  return (
    <>
      {site.hasEvents && !target.event && (
        <Action
          icon="calendar"
          text={t(target.poll ? "compose.poll_or_event" : "compose.event")}
          disabled={target.poll !== null}
          onClick={(button) => {
            focusOpened(button, `#${eventFieldOf(target)}`);
            close();
            changePart(session, target.key, () => ({ event: newEvent() }));
          }}
        />
      )}
      {purpose.kind !== "edit" && scheduledAt === "" && (
        <Action
          icon="clock"
          text={t("compose.schedule_tool")}
          onClick={(button) => {
            focusOpened(button, ".composer-schedule input");
            close();
            publishLater(session);
          }}
        />
      )}
      {purpose.kind === "new" && !isEmpty(draft) && (
        <Action
          icon="pen"
          text={t("compose.anew")}
          disabled={session.uploads.value.length > 0 || session.isSending.value}
          onClick={() => {
            close();
            onAnew();
          }}
        />
      )}
      <a class="menu-item" href="/drafts" data-leaves="" onClick={leave}>
        <Icon name="list" />
        <span>{t("drafts.title")}</span>
      </a>
      <Action
        icon="trash"
        text={t("compose.discard")}
        isBad
        disabled={session.isSending.value}
        onClick={() => {
          close();
          onDiscard();
        }}
      />
    </>
  );
};

export const MoreMenu = (props: MenuProps) => {
  const { t } = useApp();
  return (
    <Unfold
      label={t("compose.more")}
      face={<Icon name="sliders" />}
      buttonClass="choice choice-more"
      class="choice-options choice-options-more"
    >
      {(close) => (
        <>
          <Choices session={props.session} />
          <hr />
          <Actions {...props} close={close} />
        </>
      )}
    </Unfold>
  );
};

/** Lists unusual choices in the order of the menu. */
const unusualOf = (app: App, draft: Draft, language: string): string[] => {
  const { t } = app;
  const usual = blank(app, draft.purpose, "");
  const replies = replyPolicyOf(draft);
  const quotes = draft.quotePolicy;
  const isReply = draft.visibility !== "direct" && replies !== replyPolicyOf(usual);
  const isQuote = isOpenToAll(draft) && quotes !== usual.quotePolicy;
  return [
    isReply && t(`compose.reply_${replies}`),
    isQuote && t(`compose.quote_${quotes}`),
    endText(app, draft),
    draft.language !== usual.language && language,
    isMarkdown(draft) !== isMarkdown(usual) &&
      t(isMarkdown(draft) ? "compose.markdown" : "compose.plain"),
  ].filter((text) => typeof text === "string");
};

export const Unusual = ({ session }: { session: Session }) => {
  const draft = session.draft.value;
  // The name is known before the menu with the list is opened.
  const texts = unusualOf(useApp(), draft, useLanguageName(draft.language));
  return texts.length > 0 && <p class="composer-unusual soft small">{texts.join(" · ")}</p>;
};
