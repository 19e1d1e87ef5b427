// Create: of a note (or what is shown like one), whole or by its address, or a vote.

import { httpUrl, idOf, isRecord, sameHost } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { authorUris, isVote, parseNote } from "../../../domain/statuses/parse-note.ts";
import type { ParsedNote } from "../../../domain/statuses/parse-note.ts";
import { missingParent, newNote, wantedFor } from "../../store-note.ts";
import { noteContext, objectUri } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Facts } from "../facts.ts";
import { NOTHING, apply, fetchFirst, run } from "../verdict.ts";
import type { Parse, Parsed, Verdict } from "../verdict.ts";
import { takeVote } from "./votes.ts";

/** Somebody here has a reason to see it; everything else that strangers send is not stored. */
const concernsUs = ({ actor }: Incoming, note: ParsedNote, facts: Facts): boolean => {
  if (facts.isFollowedHere(actor.id)) return true;
  const addressed = [...note.mentionUris, ...note.silentUris];
  if (addressed.some((uri) => facts.actor(uri)?.domain === null)) return true;
  if (note.quote && facts.status(note.quote.uri)?.local) return true;
  const parent = facts.status(note.inReplyToUri);
  return parent !== undefined && (parent.local || facts.isFollowedHere(parent.account_id));
};

const judgeNote = (incoming: Incoming, note: ParsedNote, facts: Facts): Verdict => {
  const { actor, now, isOurs } = incoming;
  if (facts.wasTakenBack(actor.uri, note.uri) || facts.status(note.uri)) return NOTHING;
  if (!concernsUs(incoming, note, facts)) return NOTHING;
  const parent = missingParent(note, facts, isOurs);
  if (parent) return fetchFirst(parent);
  return apply({ do: "create", status: newNote(note, { author: actor, facts, now }) });
};

const parseWhole = (incoming: Incoming, object: Json): Parsed | null => {
  const note = parseNote(object, noteContext(incoming));
  if (!note || incoming.isOurs(note.uri)) return null;
  const wanted = wantedFor(note);
  if (note.quote) wanted.statuses = [...wanted.statuses!, note.quote.uri];
  return { wanted, judge: (facts) => judgeNote(incoming, note, facts) };
};

/** Looked up, if somebody here follows the author. */
const parseAddress = ({ actor, body, isOurs }: Incoming): Parsed | null => {
  const uri = objectUri(body);
  if (!uri || isOurs(uri) || !sameHost(uri, actor.uri)) return null;
  return {
    wanted: { statuses: [uri] },
    judge: (facts) =>
      facts.status(uri) || facts.wasFetched(uri) || !facts.isFollowedHere(actor.id)
        ? NOTHING
        : fetchFirst({ uri, kind: "note", ifAway: "later" }),
  };
};

const parseVote = ({ actor }: Incoming, vote: Json): Parsed | null => {
  const question = httpUrl(idOf(vote["inReplyTo"]));
  if (!question || !authorUris(vote).includes(actor.uri)) return null;
  return {
    wanted: { statuses: [question] },
    judge(facts) {
      const status = facts.status(question);
      return status?.local ? run((app) => takeVote(app, actor, vote, status.id)) : NOTHING;
    },
  };
};

export const parseCreate: Parse = (incoming) => {
  const { object } = incoming.body;
  if (!isRecord(object)) return parseAddress(incoming);
  return isVote(object) ? parseVote(incoming, object) : parseWhole(incoming, object);
};
