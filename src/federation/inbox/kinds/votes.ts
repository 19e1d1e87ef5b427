// A vote from elsewhere: a note with the name of an option, in answer to a poll of ours.

import type { App } from "../../../platform/app.ts";
import { HttpError } from "../../../platform/errors.ts";
import { httpUrl, textOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { asActor } from "../../../platform/viewer.ts";
import { castVote } from "../../../domain/polls/vote.ts";
import { loadVisible } from "../../../domain/statuses/load.ts";
import type { KnownActor } from "../queries-facts.ts";

/** Votes that do not count (too late, twice, for nothing that there is) are dropped. */
export const takeVote = async (
  app: App,
  actor: KnownActor,
  vote: Json,
  statusId: string,
): Promise<void> => {
  const [view] = await loadVisible(app, [statusId], asActor(actor.id));
  const choice = view?.poll?.options.indexOf(textOf(vote["name"]) ?? "") ?? -1;
  if (!view?.poll || choice < 0) return;
  const uri = httpUrl(vote["id"]) ?? `${actor.uri}#votes/${view.poll.id}/${choice}`;
  try {
    await castVote(app, { pollId: view.poll.id, accountId: actor.id, choices: [choice], uri });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
};
