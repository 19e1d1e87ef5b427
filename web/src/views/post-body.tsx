// Draws what a post says: its text, poll, event, media, quote and preview, behind a warning or a filter where there is
// one.

import type { Status } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { directionOf } from "../text/direction.ts";
import { CoverSummary } from "../elements/cover-summary.tsx";
import { pageOf } from "../text/parse-html.ts";
import { RichText, withEmojis } from "../text/rich-text.tsx";
import { Card } from "./card.tsx";
import { EventView } from "./event.tsx";
import { useFilters } from "./filters.ts";
import { Folded, isLong } from "./folded.tsx";
import { Covered, Gallery } from "./media.tsx";
import { Player } from "./player.tsx";
import { PollView } from "./poll.tsx";
import { PostHead } from "./post-head.tsx";
import { coversMedia, useReading } from "../text/reading.ts";
import { postPath } from "./shown-status.ts";
import type { ShownStatus } from "./shown-status.ts";
import { Translated } from "./translated.tsx";

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
        <PostHead status={quoted} />
        <PostBody status={quoted} isQuoted />
      </article>
    );
  }
  const key = QUOTE_FAULTS[quote.state as keyof typeof QUOTE_FAULTS];
  return key ? <p class="quoted gone soft">{t(key)}</p> : null;
};

/** Links to where an article goes on, or where a video or event is. */
const ReadOn = ({ page, isFolded }: { page: string; isFolded: boolean }) => {
  const { t } = useApp();
  return (
    <p class="read-on">
      <a href={page} target="_blank" rel="nofollow noopener noreferrer">
        {t(isFolded ? "post.read_on" : "post.original", { host: new URL(page).host })}
      </a>
    </p>
  );
};

/** Draws the media of a post, or the player or preview of a page. A video elsewhere has a picture for its player. */
const Shown = ({ status }: { status: ShownStatus }) => {
  const { card, media_attachments: media } = status;
  if (!card || status.quote) return <Gallery status={status} />;
  const picture = media[0]?.preview_url ?? media[0]?.url ?? card.image;
  const player = card.html && (
    <Covered status={status}>
      <Player card={card} path={`${postPath(status)}/player`} picture={picture} />
    </Covered>
  );
  if (media.length > 0) return player || <Gallery status={status} />;
  return (
    <>
      {player}
      <Card card={card} isCovered={status.sensitive || Boolean(player)} />
    </>
  );
};

/** Draws what a content warning hides as well. */
const Content = ({ status, isQuoted, isWhole }: { status: ShownStatus } & Required<BodyProps>) => {
  const { me } = useApp();
  const isOwn = me?.id === status.account.id;
  const html = status.content ?? "";
  const page = pageOf(html);
  const isFolded = !isWhole && isLong(html);
  const text = (
    <div class="text" lang={status.language ?? undefined} dir={directionOf(status.language)}>
      <RichText
        html={html}
        emojis={status.emojis}
        withoutQuoteLine={status.quote !== null && status.quote !== undefined && !isQuoted}
        withoutEventLine={status.event !== undefined}
        withoutPageLine={page !== null}
      />
    </div>
  );
  return (
    <>
      {isFolded ? <Folded>{text}</Folded> : text}
      {page && <ReadOn page={page} isFolded={isFolded} />}
      <Translated id={status.id} />
      {status.poll && <PollView poll={status.poll} statusId={status.id} isOwn={isOwn} />}
      {status.event && (
        <EventView
          status={status}
          event={status.event}
          answersPath={isOwn ? `${postPath(status)}/answers` : null}
        />
      )}
      <Shown status={status} />
      {status.quote && !isQuoted && <Quoted quote={status.quote} />}
    </>
  );
};

type BodyProps = {
  isQuoted?: boolean;
  /** Shows the whole text, however long it is. */
  isWhole?: boolean;
};

export const PostBody = ({
  status,
  isQuoted = false,
  isWhole = false,
}: { status: ShownStatus } & BodyProps) => {
  const filters = useFilters(status);
  const filtered = filters.find(({ filter_action }) => filter_action !== "blur");
  const reading = useReading();
  const isCovered = coversMedia(reading, status.sensitive) || filters.length > 0;
  const { t } = useApp();
  const isHarmless = !status.sensitive && filters.length === 0;
  const shown = { ...status, sensitive: isCovered, isHarmless };
  const content = <Content status={shown} isQuoted={isQuoted} isWhole={isWhole} />;
  const warned = status.spoiler_text ? (
    <details class="warning" open={reading.spoilers} data-open={reading.spoilers ? "" : undefined}>
      <CoverSummary>{withEmojis(status.spoiler_text, status.emojis)}</CoverSummary>
      {content}
    </details>
  ) : (
    content
  );
  if (!filtered) return warned;
  return (
    <details class="warning">
      <CoverSummary>{t("post.filtered", { filter: filtered.title })}</CoverSummary>
      {warned}
    </details>
  );
};
