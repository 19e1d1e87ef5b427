// Draws a poll: its options to choose from, or how many people chose each.

import type { Poll } from "../api/entities.ts";
import { useApp } from "../app.ts";
import { withEmojis } from "../text/rich-text.tsx";
import { Ago } from "../elements/times.tsx";
import { Sentence } from "../elements/sentence.tsx";

/** Returns a percentage, at most 100, whatever the poll's own server says of its votes and voters. */
const percent = (votes: number, total: number): number =>
  total === 0 ? 0 : Math.min(100, Math.round((votes / total) * 100));

/** Draws a bar as SVG, because the Content-Security-Policy allows no style attributes. */
const Bar = ({ share }: { share: number }) => (
  <svg class="bar" aria-hidden="true">
    <rect width={`${share}%`} height="100%" rx="3" />
  </svg>
);

const Result = ({ poll }: { poll: Poll }) => {
  const total = poll.voters_count ?? poll.votes_count;
  return (
    <ul class="poll-results">
      {poll.options.map(({ title, votes_count }, index) => {
        const share = votes_count === null ? null : percent(votes_count, total);
        const isOwn = poll.own_votes?.includes(index) ?? false;
        return (
          <li key={index} class={isOwn ? "own" : undefined}>
            <span class="poll-share">{share === null ? "" : `${share}%`}</span>
            <span>
              {withEmojis(title, poll.emojis)} {isOwn && "✓"}
            </span>
            {share !== null && <Bar share={share} />}
          </li>
        );
      })}
    </ul>
  );
};

const Vote = ({ poll, statusId }: { poll: Poll; statusId: string }) => {
  const { t, formToken, place } = useApp();
  return (
    <form
      class="poll-vote"
      method="post"
      action={`/web/act/polls/${poll.id}/votes`}
      data-act="vote"
      data-id={statusId}
    >
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="back" value={place.path} />
      {poll.options.map(({ title }, index) => (
        <label key={index}>
          <input
            type={poll.multiple ? "checkbox" : "radio"}
            name="choices[]"
            value={String(index)}
          />
          <span>{withEmojis(title, poll.emojis)}</span>
        </label>
      ))}
      <button class="button small">{t("poll.vote")}</button>
    </form>
  );
};

export const PollView = ({
  poll,
  statusId,
  isOwn,
}: {
  poll: Poll;
  statusId: string;
  isOwn: boolean;
}) => {
  const { t, me } = useApp();
  const mayVote = me !== null && !isOwn && !poll.expired && !poll.voted;
  const count = poll.voters_count ?? poll.votes_count;
  return (
    <div class="poll">
      {mayVote ? <Vote poll={poll} statusId={statusId} /> : <Result poll={poll} />}
      {!me && !poll.expired && (
        <p>
          <a class="button plain small" href={`/interact/${statusId}?act=vote`} rel="nofollow">
            {t("poll.vote")}
          </a>
        </p>
      )}
      <p class="soft small">
        {t("poll.voters", { count })}
        {poll.expires_at && (
          <>
            {" · "}
            <Sentence
              text={poll.expired ? "poll.ended" : "poll.ends"}
              elements={{ time: <Ago time={poll.expires_at} /> }}
            />
          </>
        )}
      </p>
    </div>
  );
};
