// A post, wherever it is shown: in a list, in a thread, as the subject of its page.

import { useRef } from "preact/hooks";
import type { Account } from "../api/entities.ts";
import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { isAnswered } from "../compose/open.ts";
import { useBox } from "../window/near.ts";
import { summaryOf } from "../text/summary.ts";
import { agoInWords } from "../text/time.ts";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { Avatar, Name, profilePath, shownName } from "../elements/names.tsx";
import { MemberActs, VisitorActs } from "./post-acts.tsx";
import { PostBody } from "./post-body.tsx";
import { PostHead } from "./post-head.tsx";
import { Reactions } from "./reactions.tsx";
import { ReplyBelow } from "./reply-below.tsx";
import { postPath } from "./shown-status.ts";
import type { ShownStatus } from "./shown-status.ts";
import { Ago, Moment } from "../elements/times.tsx";
import { WhoReplies } from "./who-replies.tsx";
import { Sentence } from "../elements/sentence.tsx";

/** Characters of the text in a post's name; all of it is read inside. */
const MAX_NAME = 140;

const Above = ({ icon, children }: { icon: IconName; children: preact.ComponentChildren }) => (
  <p class="post-above">
    <Icon name={icon} />
    <span>{children}</span>
  </p>
);

const Booster = ({ account }: { account: Account }) => {
  return (
    <Above icon="boost">
      <Sentence
        text="post.boosted"
        elements={{
          name: (
            <a href={profilePath(account)}>
              <Name account={account} />
            </a>
          ),
        }}
      />
    </Above>
  );
};

/** Returns what says whom a post replies to, as far as it is known here, and where it leads. */
export const replyLine = (
  { store, me, t }: App,
  status: ShownStatus,
): { text: string; path: string } => {
  const { in_reply_to_id, in_reply_to_account_id: author, account, mentions } = status;
  const parent = in_reply_to_id ? store.statuses.get(in_reply_to_id)?.peek() : undefined;
  const path = postPath(parent ?? status);
  if (author === account.id) return { text: t("post.continued"), path };
  const person = parent?.account ?? (author === me?.id ? me : store.accounts.get(author!)?.peek());
  const acct = mentions.find(({ id }) => id === author)?.acct;
  const name = person ? shownName(person) : acct && `@${acct}`;
  return { text: name ? t("post.in_reply_to", { name }) : t("post.in_reply"), path };
};

const InReply = ({ status }: { status: ShownStatus }) => {
  const { text, path } = replyLine(useApp(), status);
  return <a href={path}>{text}</a>;
};

/** Says to its author what moderators of groups have to decide or have decided about the post. */
const InGroups = ({ status }: { status: ShownStatus }) => {
  const { t } = useApp();
  const groups = "groups" in status ? (status.groups ?? []) : [];
  return (
    <>
      {groups.map(({ group, state }) =>
        state === "shared" ? null : (
          <p key={group.id} class="soft small">
            {t(state === "held" ? "groups.post_held" : "groups.post_removed", {
              name: shownName(group),
            })}
          </p>
        ),
      )}
    </>
  );
};

/** Draws the counts and the whole date of the post that a page is about. */
const Facts = ({ status }: { status: ShownStatus }) => {
  const { t } = useApp();
  return (
    <p class="post-facts soft">
      <Moment time={status.created_at} />
      {status.edited_at && (
        <span>
          {" · "}
          <Sentence text="post.edited_at" elements={{ time: <Ago time={status.edited_at} /> }} />
        </span>
      )}
      {status.expires_at && (
        <span>
          {" · "}
          <Sentence text="post.ends_in" elements={{ time: <Ago time={status.expires_at} /> }} />
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
  status: ShownStatus;
  /** Account whose boost is the reason to show the post. */
  booster?: Account;
  /** True for the post that the page is about. */
  isMain?: boolean;
  isPinned?: boolean;
  /** True when the post above is shown right above. */
  isBelowParent?: boolean;
  /** Whether a line leads here from the face above, and on to the one below. */
  hasLineAbove?: boolean | undefined;
  hasLineBelow?: boolean | undefined;
  /** Number in a list, from 1 on. */
  position?: number;
  /** Id under which a list has it, such as that of the boost. */
  entryId?: string;
  /** True for a post that is shown to be judged, not replied to. */
  withoutActs?: boolean;
};

/** Returns a post's name for screen readers: who, when, and the text or its content warning. */
const usePostName = () => {
  const { t, locale } = useApp();
  return (status: ShownStatus): string =>
    [shownName(status.account), agoInWords(locale, status.created_at), summaryOf(status, MAX_NAME)]
      .filter(Boolean)
      .reduce((text, more) => t("words.comma", { text, more }));
};

/** Draws the article; `status` is never a boost itself. */
export const Post = ({
  status,
  booster,
  isMain = false,
  isPinned = false,
  isBelowParent = false,
  hasLineAbove = false,
  hasLineBelow = false,
  position,
  entryId = status.id,
  withoutActs = false,
}: PostProps) => {
  const { me, t } = useApp();
  const article = useRef<HTMLElement>(null);
  const box = useBox(article, entryId);
  const isReply = status.in_reply_to_id !== null && !isBelowParent && !isMain;
  // It is still in its place, because a reply to it is being written.
  const isGone = "isGone" in status && status.isGone === true;
  const nameOf = usePostName();
  return (
    <article
      ref={article}
      class={`post${isMain ? " post-main" : ""}${hasLineAbove ? " line-above" : ""}${hasLineBelow ? " line-below" : ""}`}
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
          {!isGone && (
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
                <PostHead status={status} />
                <PostBody status={status} isWhole={isMain} />
                <WhoReplies status={status} />
                <InGroups status={status} />
                {isMain && <Facts status={status} />}
                <Reactions status={status} isMain={isMain} withoutActs={withoutActs} />
                {!withoutActs &&
                  (me ? <MemberActs status={status} /> : <VisitorActs status={status} />)}
              </div>
            </>
          )}
          {me && !withoutActs && <ReplyBelow id={status.id} />}
        </>
      )}
    </article>
  );
};

/** Draws a post of the store by its id, and again when the store changes it. */
export const PostOf = ({ id, ...more }: { id: string } & Omit<PostProps, "status" | "booster">) => {
  const { store, keep } = useApp();
  const status = store.statuses.get(id)?.value;
  if (!status) return null;
  const boosted = status.reblog === null ? undefined : store.statuses.get(status.reblog)?.value;
  if ((status.isGone || boosted?.isGone) && !isAnswered(status)) return null;
  const post = boosted ? (
    <Post status={boosted} booster={status.account} entryId={id} {...more} />
  ) : (
    <Post status={status} entryId={id} {...more} />
  );
  return keep ? keep(post) : post;
};
