// A poll in a post on a page: its options, and how many people chose each where that is public.

import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import type { EmojiRow } from "../domain/emojis/tables.ts";
import { pollEntity } from "../domain/polls/present.ts";
import type { PollView } from "../domain/polls/tables.ts";
import { counted, moment, withEmojis } from "./parts.ts";

type Option = { title: string; votes_count: number | null };

/** At most 100%, whatever the poll's own server says of its votes and voters. */
const percent = (votes: number, ballots: number): string =>
  `${ballots === 0 ? 0 : Math.min(100, Math.round((votes / ballots) * 100))}%`;

/** An SVG, because the Content-Security-Policy allows no style attributes. */
const bar = (width: string): Html =>
  html`<svg class="bar" aria-hidden="true"><rect width="${width}" height="100%" /></svg>`;

const option = ({ title, votes_count: votes }: Option, ballots: number, emojis: EmojiRow[]) => {
  const share = votes === null ? null : percent(votes, ballots);
  return html`<li>
    <p><span>${withEmojis(title, emojis)}</span> ${share && html`<strong>${share}</strong>`}</p>
    ${share && bar(share)}
  </li>`;
};

const end = (poll: PollView): HtmlValue => {
  if (poll.expires_at === null) return null;
  const word = poll.expired ? "ended" : "ends";
  return html`<span>${word} ${moment(new Date(poll.expires_at))}</span>`;
};

/** Percentages are of the people who voted; of the votes, where the number of people is unknown. */
export const pollBlock = (view: PollView, emojis: EmojiRow[]): Html => {
  const poll = pollEntity({ ...view, ownVotes: null }, false, []);
  const ballots = poll.voters_count ?? poll.votes_count;
  const words = poll.voters_count === null ? ["vote", "votes"] : ["person voted", "people voted"];
  return html`<ul class="poll">
      ${poll.options.map((one) => option(one, ballots, emojis))}
    </ul>
    <p class="counts"><span>${counted(ballots, words[0]!, words[1]!)}</span> ${end(view)}</p>`;
};
