// Presents local polls as members of a Question, and votes of local accounts as notes.

import { sendable } from "../../people/accounts/activitypub.ts";
import type { PollView } from "./tables.ts";

const moment = (iso: string): string => `${new Date(iso).toISOString().slice(0, 19)}Z`;

/** Returns the members of a Question in addition to those of a Note. */
export const questionMembers = (poll: PollView) => {
  const isHidden = poll.hide_totals && !poll.expired;
  const options = poll.options.map((name, index) => ({
    type: "Note",
    name,
    replies: { type: "Collection", totalItems: isHidden ? 0 : poll.tallies[index]! },
  }));
  return {
    ...(poll.expires_at && { endTime: moment(poll.expires_at) }),
    ...(poll.expired && poll.expires_at && { closed: moment(poll.expires_at) }),
    votersCount: poll.voters_count ?? 0,
    [poll.multiple ? "anyOf" : "oneOf"]: options,
  };
};

type Named = { uri: string };

/**
 * Makes a vote for one option, addressed to the author of the poll alone. `ballot` is the same for all choices of one
 * vote.
 */
export const voteActivity = (
  voter: Named,
  poll: PollView,
  question: { uri: string; author: Named },
  { ballot, choice }: { ballot: string; choice: number },
) => {
  const id = `${voter.uri}#votes/${ballot}/${choice}`;
  const to = [question.author.uri];
  return sendable({
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${id}/activity`,
    type: "Create",
    actor: voter.uri,
    to,
    object: {
      id,
      type: "Note",
      name: poll.options[choice]!,
      attributedTo: voter.uri,
      to,
      inReplyTo: question.uri,
    },
  });
};
