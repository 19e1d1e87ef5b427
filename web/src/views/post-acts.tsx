// Draws the buttons of what can be done with a post: by members here, by visitors from their own server.

import { useApp } from "../app.ts";
import { quoteRefusal } from "../compose/quoting.ts";
import { short } from "../text/time.ts";
import { ActButton } from "../elements/act-button.tsx";
import { Icon } from "../elements/icons.tsx";
import type { IconName } from "../elements/icons.tsx";
import { mayBoost, postPath } from "./shown-status.ts";
import type { ShownStatus } from "./shown-status.ts";
import { useReplyRefusal } from "./who-replies.tsx";

const Count = ({ count }: { count: number }) => {
  const { locale } = useApp();
  return count > 0 ? <span class="count">{short(locale, count)}</span> : null;
};

/** Returns the label of a button with its number. */
const useCounted = () => {
  const { t, locale } = useApp();
  return (label: string, count: number): string =>
    count > 0 ? t("words.comma", { text: label, more: short(locale, count) }) : label;
};

/** Draws the quote button, and says why a post may not be quoted. */
const QuoteAct = ({ status }: { status: ShownStatus }) => {
  const { t } = useApp();
  const refusal = quoteRefusal(status);
  const counted = useCounted();
  const label = refusal
    ? t("words.pair", { name: t("quoting.act"), value: t(refusal) })
    : t("quoting.act");
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

/** Draws the reply button, and says who may reply if the viewer may not. */
const ReplyAct = ({ status }: { status: ShownStatus }) => {
  const { t } = useApp();
  const counted = useCounted();
  const refusal = useReplyRefusal(status);
  const label = refusal
    ? t("words.pair", { name: t("post.reply"), value: refusal })
    : t("post.reply");
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
export const MemberActs = ({ status }: { status: ShownStatus }) => {
  const { t, me } = useApp();
  const counted = useCounted();
  const { id } = status;
  const mark = (isOn: boolean | undefined, act: string) => (isOn ? `un${act}` : act);
  return (
    <div class="post-acts" role="toolbar" aria-label={t("post.acts")}>
      <ReplyAct status={status} />
      <ActButton
        class="act act-boost"
        kind="statuses"
        id={id}
        act={mark(status.reblogged, "reblog")}
        label={counted(t("post.boost"), status.reblogs_count)}
        pressed={status.reblogged ?? false}
        disabled={!mayBoost(status, me) && !status.reblogged}
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
        {...(status.bookmarked && { done: t("post.bookmark_removed") })}
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
export const VisitorActs = ({ status }: { status: ShownStatus }) => {
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
    <div class="post-acts" role="toolbar" aria-label={t("post.acts")}>
      {link("reply", "reply", t("post.reply"), status.replies_count)}
      {link("boost", "boost", t("post.boost"), status.reblogs_count)}
      {link("favourite", "heart", t("post.favourite"), status.favourites_count)}
    </div>
  );
};
