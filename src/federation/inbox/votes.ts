// A vote from elsewhere: a note with the name of an option, in answer to a poll of ours.

import type { App } from "../../platform/app.ts";
import { HttpError } from "../../platform/errors.ts";
import { httpUrl, idOf, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { asActor } from "../../platform/viewer.ts";
import { castVote } from "../../domain/polls/vote.ts";
import { loadVisible } from "../../domain/statuses/load.ts";
import { authorUris } from "../../domain/statuses/parse-note.ts";
import { selectStatusByUri } from "./queries.ts";
import type { KnownActor } from "./queries.ts";

/** Votes that do not count (too late, twice, for nothing that there is) are dropped. */
export const takeVote = async (app: App, actor: KnownActor, vote: Json): Promise<void> => {
  const question = await selectStatusByUri(app.sql, httpUrl(idOf(vote["inReplyTo"])) ?? "");
  if (!question?.local || !authorUris(vote).includes(actor.uri)) return;
  const [view] = await loadVisible(app, [question.id], asActor(actor.id));
  const choice = view?.poll?.options.indexOf(textOf(vote["name"]) ?? "") ?? -1;
  if (!view?.poll || choice < 0) return;
  const uri = httpUrl(vote["id"]) ?? `${actor.uri}#votes/${view.poll.id}/${choice}`;
  try {
    await castVote(app, { pollId: view.poll.id, accountId: actor.id, choices: [choice], uri });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
};
