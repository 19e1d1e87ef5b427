// A poll as it stands in a post on a page: what there is to choose, and how many chose it where that
// is told.

import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import type { EmojiRow } from "../domain/accounts/tables.ts";
import { pollEntity } from "../domain/polls/present.ts";
import type { PollView } from "../domain/polls/tables.ts";
import { counted, moment, withEmojis } from "./parts.ts";

const share = (votes: number, ballots: number): string =>
  ballots === 0 ? "0 %" : `${Math.round((votes / ballots) * 100)} %`;

const end = (poll: PollView): HtmlValue => {
  if (poll.expires_at === null) return null;
  const word = poll.expired ? "ended" : "ends";
  return html`<span>${word} ${moment(new Date(poll.expires_at))}</span>`;
};

/** Shares are of the people who voted; of the votes, where nobody tells how many people did. */
export const pollBlock = (view: PollView, emojis: EmojiRow[]): Html => {
  const poll = pollEntity({ ...view, ownVotes: null }, false, []);
  const ballots = poll.voters_count ?? poll.votes_count;
  const people = poll.voters_count === null ? ["vote", "votes"] : ["person", "people"];
  return html`<ul class="poll">
      ${poll.options.map(
        ({ title, votes_count: votes }) =>
          html`<li>
            <span>${withEmojis(title, emojis)}</span>
            ${votes !== null && html`<strong>${share(votes, ballots)}</strong>`}
          </li>`,
      )}
    </ul>
    <p class="counts"><span>${counted(ballots, people[0]!, people[1]!)}</span> ${end(view)}</p>`;
};
