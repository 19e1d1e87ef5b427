// Draws a post, wherever it is shown: in a list, in a thread, as the subject of its page, quoted in another.

import { isOpenToAll, visibilityOf } from "../api/visibility.ts";
import type { Visibility } from "../api/visibility.ts";
import { useRef } from "preact/hooks";
import type { Account, Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { useBox } from "../browser/near.ts";
import type { Heights } from "../browser/near.ts";
import { quoteRefusal } from "../compose/quoting.ts";
import type { StoredStatus } from "../store/store.ts";
import { directionOf } from "../text/direction.ts";
import { RichText, withEmojis } from "../text/rich-text.tsx";
import { summaryOf } from "../text/summary.ts";
import { ago, moment, short } from "../text/time.ts";
import { ActButton } from "./act-button.tsx";
import { Card } from "./card.tsx";
import { EventView } from "./event.tsx";
import { useFilters } from "./filters.ts";
import { Folded, isLong } from "./folded.tsx";
import { Icon } from "./icons.tsx";
import type { IconName } from "./icons.tsx";
import { Gallery } from "./media.tsx";
import { coversMedia, useReading } from "./reading.ts";
import { Avatar, Name, fullHandle, profilePath, shownName } from "./names.tsx";
import { PollView } from "./poll.tsx";
import { Reactions } from "./reactions.tsx";
import { ReplyBelow } from "./reply-below.tsx";
import { Age, Ago, Moment } from "./times.tsx";
import { Translated } from "./translated.tsx";
import { WhoReplies, useReplyRefusal } from "./who-replies.tsx";

type Shown = StoredStatus | Status;

/** Characters of the text in a post's name; all of it is read inside. */
const MAX_NAME = 140;

/** Returns the page of a post on this server. */
export const postPath = ({ account, id }: Pick<Shown, "account" | "id">): string =>
  `/@${account.acct}/${id}`;

const AUDIENCE: Record<Visibility, IconName | null> = {
  public: null,
  unlisted: "moon",
  local: "home",
  private: "lock",
  local_followers: "home",
  circle: "people",
  direct: "at",
};

const EndMark = ({ status: { expires_at: end } }: { status: Shown }) => {
  const { locale, t } = useApp();
  if (!end) return null;
  const text = t("post.ends", { time: moment(locale, end) });
  return (
    <span class="post-end" title={text}>
      <Icon name="clock" />
      <span class="invisible">{text}</span>
    </span>
  );
};

const Head = ({ status }: { status: Shown }) => {
  const { site, t } = useApp();
  const { account } = status;
  const visibility = visibilityOf(status);
  const icon = AUDIENCE[visibility];
  return (
    <header class="post-head">
      <a class="post-author" href={profilePath(account)}>
        <strong>
          <Name account={account} />
        </strong>{" "}
        <span class="handle" title={fullHandle(account, site.domain)}>
          @{account.acct}
        </span>
      </a>
      <span class="post-meta">
        {icon && (
          <span title={t(`visibility.${visibility}`)}>
            <Icon name={icon} />
            <span class="invisible">{t(`visibility.${visibility}`)}</span>
          </span>
        )}
        <a class="post-time" href={postPath(status)}>
          <Age time={status.created_at} />
        </a>
        {status.edited_at && <span title={t("post.edited")}>*</span>}
        <EndMark status={status} />
      </span>
    </header>
  );
};

const QUOTE_FAULTS = {
  pending: "quote.pending",
  rejected: "quote.rejected",
  revoked: "quote.revoked",
  deleted: "quote.deleted",
  unauthorized: "quote.unauthorized",
  blocked_account: "quote.blocked",
  blocked_domain: "quote.blocked_domain",
  muted_account: "quote.muted",
} as const;

const Quoted = ({ quote }: { quote: NonNullable<Status["quote"]> }) => {
  const { t } = useApp();
  // The API also returns posts of people blocked or muted since.
  const isShown = quote.state === "accepted" && "quoted_status" in quote;
  const quoted = isShown ? quote.quoted_status : null;
  if (quoted) {
    return (
      <article class="quoted" aria-label={t("quote.label")}>
        <Head status={quoted} />
        <Body status={quoted} isQuoted />
      </article>
    );
  }
  const key = QUOTE_FAULTS[quote.state as keyof typeof QUOTE_FAULTS];
  return key ? <p class="quoted gone soft">{t(key)}</p> : null;
};

/** Draws what a content warning hides as well. */
const Content = ({ status, isQuoted, isWhole }: { status: Shown } & Required<BodyProps>) => {
  const { me } = useApp();
  const isOwn = me?.id === status.account.id;
  const html = status.content ?? "";
  const text = (
    <div class="text" lang={status.language ?? undefined} dir={directionOf(status.language)}>
      <RichText
        html={html}
        emojis={status.emojis}
        withoutQuoteLine={status.quote !== null && status.quote !== undefined && !isQuoted}
        withoutEventLine={status.event !== undefined}
      />
    </div>
  );
  return (
    <>
      {!isWhole && isLong(html) ? <Folded>{text}</Folded> : text}
      <Translated id={status.id} />
      {status.poll && <PollView poll={status.poll} statusId={status.id} isOwn={isOwn} />}
      {status.event && (
        <EventView
          status={status}
          event={status.event}
          answersPath={isOwn ? `${postPath(status)}/answers` : null}
        />
      )}
      <Gallery status={status} />
      {status.quote && !isQuoted && <Quoted quote={status.quote} />}
      {status.card && status.media_attachments.length === 0 && !status.quote && (
        <Card card={status.card} isCovered={status.sensitive} />
      )}
    </>
  );
};

type BodyProps = {
  isQuoted?: boolean;
  /** Shows the whole text, however long it is. */
  isWhole?: boolean;
};

const Body = ({ status, isQuoted = false, isWhole = false }: { status: Shown } & BodyProps) => {
  const filters = useFilters(status);
  const filtered = filters.find(({ filter_action }) => filter_action !== "blur");
  const reading = useReading();
  const isCovered = coversMedia(reading, status.sensitive) || filters.length > 0;
  const { t } = useApp();
  const shown = { ...status, sensitive: isCovered };
  const content = <Content status={shown} isQuoted={isQuoted} isWhole={isWhole} />;
  const warned = status.spoiler_text ? (
    <details class="warning" open={reading.spoilers}>
      <summary dir="auto">{withEmojis(status.spoiler_text, status.emojis)}</summary>
      {content}
    </details>
  ) : (
    content
  );
  if (!filtered) return warned;
  return (
    <details class="warning">
      <summary>{t("post.filtered", { filter: filtered.title })}</summary>
      {warned}
    </details>
  );
};

const Count = ({ count }: { count: number }) => {
  const { locale } = useApp();
  return count > 0 ? <span class="count">{short(locale, count)}</span> : null;
};

/** Returns the label of a button with its number. */
const useCounted = () => {
  const { locale } = useApp();
  return (label: string, count: number): string =>
    count > 0 ? `${label}, ${short(locale, count)}` : label;
};

/** Draws the quote button, and says why a post may not be quoted. */
const QuoteAct = ({ status }: { status: Shown }) => {
  const { t } = useApp();
  const refusal = quoteRefusal(status);
  const counted = useCounted();
  const label = refusal ? `${t("quoting.act")}: ${t(refusal)}` : t("quoting.act");
  return (
    <a
      class="act act-quote"
      href={`/compose?quote=${status.id}`}
      data-act="quote"
      role="button"
      aria-haspopup="dialog"
      data-id={status.id}
      data-refusal={refusal ? t(refusal) : undefined}
      aria-disabled={refusal ? true : undefined}
      aria-label={counted(label, status.quotes_count)}
      title={label}
    >
      <Icon name="quote" />
      <Count count={status.quotes_count} />
    </a>
  );
};

/** Draws the answer button, and says who may answer if the viewer may not. */
const ReplyAct = ({ status }: { status: Shown }) => {
  const { t } = useApp();
  const counted = useCounted();
  const refusal = useReplyRefusal(status);
  const label = refusal ? `${t("post.reply")}: ${refusal}` : t("post.reply");
  return (
    <a
      class="act act-reply"
      href={`${postPath(status)}?reply`}
      data-act="reply"
      role="button"
      data-id={status.id}
      data-refusal={refusal ?? undefined}
      aria-disabled={refusal ? true : undefined}
      aria-label={counted(label, status.replies_count)}
      title={label}
    >
      <Icon name="reply" />
      <Count count={status.replies_count} />
    </a>
  );
};

/** Draws a member's buttons: small, labelled, in one row. */
const MemberActs = ({ status }: { status: Shown }) => {
  const { t } = useApp();
  const counted = useCounted();
  const { id } = status;
  const isOpen = isOpenToAll(status);
  const mark = (isOn: boolean | undefined, act: string) => (isOn ? `un${act}` : act);
  return (
    <div class="post-acts">
      <ReplyAct status={status} />
      <ActButton
        class="act act-boost"
        kind="statuses"
        id={id}
        act={mark(status.reblogged, "reblog")}
        label={counted(t("post.boost"), status.reblogs_count)}
        pressed={status.reblogged ?? false}
        disabled={!isOpen && !status.reblogged}
      >
        <Icon name="boost" />
        <Count count={status.reblogs_count} />
      </ActButton>
      <QuoteAct status={status} />
      <ActButton
        class="act act-favourite"
        kind="statuses"
        id={id}
        act={mark(status.favourited, "favourite")}
        label={counted(t("post.favourite"), status.favourites_count)}
        pressed={status.favourited ?? false}
      >
        <Icon name="heart" />
        <Count count={status.favourites_count} />
      </ActButton>
      <ActButton
        class="act act-bookmark"
        kind="statuses"
        id={id}
        act={mark(status.bookmarked, "bookmark")}
        label={t("post.bookmark")}
        pressed={status.bookmarked ?? false}
      >
        <Icon name="bookmark" />
      </ActButton>
      <a
        class="act act-more"
        href={`${postPath(status)}?menu`}
        data-act="menu"
        role="button"
        aria-haspopup="menu"
        aria-expanded={false}
        data-id={id}
        aria-label={t("post.more")}
        title={t("post.more")}
      >
        <Icon name="more" />
      </a>
    </div>
  );
};

/** Draws a visitor's links, which lead to their own server. */
const VisitorActs = ({ status }: { status: Shown }) => {
  const { t } = useApp();
  const counted = useCounted();
  const to = (act: string) => `/interact/${status.id}?act=${act}`;
  const link = (act: string, icon: IconName, label: string, count: number) => (
    <a class="act" href={to(act)} rel="nofollow" aria-label={counted(label, count)} title={label}>
      <Icon name={icon} />
      <Count count={count} />
    </a>
  );
  return (
    <div class="post-acts">
      {link("reply", "reply", t("post.reply"), status.replies_count)}
      {link("boost", "boost", t("post.boost"), status.reblogs_count)}
      {link("favourite", "heart", t("post.favourite"), status.favourites_count)}
    </div>
  );
};

const Above = ({ icon, children }: { icon: IconName; children: preact.ComponentChildren }) => (
  <p class="post-above">
    <Icon name={icon} /> {children}
  </p>
);

const Booster = ({ account }: { account: Account }) => {
  const { t } = useApp();
  return (
    <Above icon="boost">
      <a href={profilePath(account)}>
        <Name account={account} />
      </a>{" "}
      {t("post.boosted")}
    </Above>
  );
};

/** Says whom a post answers, as far as it is known here. */
const InReply = ({ status }: { status: Shown }) => {
  const { store, me, t } = useApp();
  const { in_reply_to_id, in_reply_to_account_id: author, account, mentions } = status;
  const parent = in_reply_to_id ? store.statuses.get(in_reply_to_id)?.peek() : undefined;
  const person = parent?.account ?? (author === me?.id ? me : store.accounts.get(author!)?.peek());
  const acct = mentions.find(({ id }) => id === author)?.acct;
  const name = person ? shownName(person) : acct && `@${acct}`;
  const whole = name ? t("post.in_reply_to", { name }) : t("post.in_reply");
  return (
    <a href={postPath(parent ?? status)}>{author === account.id ? t("post.continued") : whole}</a>
  );
};

/** Draws the counts and the whole date of the post that a page is about. */
const Facts = ({ status }: { status: Shown }) => {
  const { t } = useApp();
  return (
    <p class="post-facts soft">
      <Moment time={status.created_at} />
      {status.edited_at && (
        <span>
          {" · "}
          {t("post.edited")} <Ago time={status.edited_at} />
        </span>
      )}
      {status.expires_at && (
        <span>
          {" · "}
          {t("post.ends_in")} <Ago time={status.expires_at} />
        </span>
      )}
      {status.application && <span> · {status.application.name}</span>}
      {status.reblogs_count > 0 && (
        <span> · {t("post.boosts", { count: status.reblogs_count })}</span>
      )}
      {status.favourites_count > 0 && (
        <span> · {t("post.favourites", { count: status.favourites_count })}</span>
      )}
    </p>
  );
};

export type PostProps = {
  status: Shown;
  /** Account whose boost is the reason to show the post. */
  booster?: Account;
  /** True for the post that the page is about. */
  isMain?: boolean;
  isPinned?: boolean;
  /** True when the answered post is shown right above. */
  isBelowParent?: boolean;
  /** Number in a list, from 1 on. */
  position?: number;
  /** Id under which a list has it, such as that of the boost. */
  entryId?: string;
  /** True for a post that is shown to be judged, not answered. */
  withoutActs?: boolean;
  /** Heights of a long list, in which the post is an empty box while it is far from the window. */
  heights?: Heights;
};

/** Returns a post's name for screen readers: who, when, and the text or its content warning. */
const usePostName = () => {
  const { locale } = useApp();
  return (status: Shown): string =>
    [shownName(status.account), ago(locale, status.created_at), summaryOf(status, MAX_NAME)]
      .filter(Boolean)
      .join(", ");
};

/** Draws the article; `status` is never a boost itself. */
export const Post = ({
  status,
  booster,
  isMain = false,
  isPinned = false,
  isBelowParent = false,
  position,
  entryId = status.id,
  withoutActs = false,
  heights,
}: PostProps) => {
  const { me, t } = useApp();
  const article = useRef<HTMLElement>(null);
  const box = useBox(article, heights, entryId, position);
  const isReply = status.in_reply_to_id !== null && !isBelowParent && !isMain;
  const nameOf = usePostName();
  return (
    <article
      ref={article}
      class={isMain ? "post post-main" : "post"}
      style={box === null ? undefined : { height: `${box}px` }}
      data-status={status.id}
      data-entry={entryId}
      aria-label={box === null ? nameOf(status) : shownName(status.account)}
      aria-posinset={position}
      aria-setsize={position === undefined ? undefined : -1}
      tabIndex={0}
    >
      {box === null && (
        <>
          {booster && <Booster account={booster} />}
          {isPinned && <Above icon="pin">{t("post.pinned")}</Above>}
          {isReply && !booster && (
            <Above icon="reply">
              <InReply status={status} />
            </Above>
          )}
          <Avatar account={status.account} />
          <div class="post-body">
            <Head status={status} />
            <Body status={status} isWhole={isMain} />
            <WhoReplies status={status} />
            {isMain && <Facts status={status} />}
            <Reactions status={status} isMain={isMain} withoutActs={withoutActs} />
            {!withoutActs &&
              (me ? <MemberActs status={status} /> : <VisitorActs status={status} />)}
          </div>
          {me && !withoutActs && <ReplyBelow id={status.id} />}
        </>
      )}
    </article>
  );
};

/** Draws a post of the store by its id, and again when the store changes it. */
export const PostOf = ({ id, ...more }: { id: string } & Omit<PostProps, "status" | "booster">) => {
  const { store } = useApp();
  const status = store.statuses.get(id)?.value;
  if (!status || status.isGone) return null;
  const boosted = status.reblog === null ? undefined : store.statuses.get(status.reblog)?.value;
  if (boosted?.isGone) return null;
  return boosted ? (
    <Post status={boosted} booster={status.account} entryId={id} {...more} />
  ) : (
    <Post status={status} entryId={id} {...more} />
  );
};
