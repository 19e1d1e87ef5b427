// Create of a note (or of another object that is shown like one), embedded or by its address, or of a vote.

import type { App } from "../../../platform/app.ts";
import { isRefusal, nullOn } from "../../../platform/errors.ts";
import { httpUrl, idOf, idsOf, isRecord, sameHost, textOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { asActor } from "../../../platform/viewer.ts";
import { vote as castVote } from "../../../domain/posts/statuses/acts.ts";
import { loadAsServer } from "../../../domain/posts/statuses/load.ts";
import { authorUris, isVote, parseNote } from "../../../domain/posts/statuses/parse-note.ts";
import type { ParsedNote } from "../../../domain/posts/statuses/parse-note.ts";
import { openTo, remoteVisibilityFacts } from "../../../domain/posts/statuses/visibility.ts";
import { answerNeedsProof } from "../../authorizations.ts";
import { lookupsFor, missingParent, newNote, parentOf } from "../../store-note.ts";
import { noteContext, objectUri, withAuthor } from "../activity.ts";
import type { Incoming } from "../activity.ts";
import type { Change } from "../apply.ts";
import type { Facts } from "../facts.ts";
import type { KnownActor } from "../queries-facts.ts";
import { NOTHING, aboutUnknownPost, apply, fetchFirst, run } from "../decision.ts";
import { unverified } from "../unverified.ts";
import type { Parse, Parsed, Decision } from "../decision.ts";

/**
 * Whether a local person has a reason to see the note. Other notes from accounts that nobody here follows are not
 * stored.
 */
const isRelevant = (incoming: Incoming, note: ParsedNote, facts: Facts): boolean => {
  const { actor, isRelayed = false } = incoming;
  if (isRelayed && openTo("here", remoteVisibilityFacts(note.visibility))) return true;
  if (facts.hasLocalFollowers(actor.id)) return true;
  const addressed = [...note.mentionUris, ...note.silentUris];
  if (addressed.some((uri) => facts.actor(uri)?.domain === null)) return true;
  if (note.quote && facts.status(note.quote.uri)?.local) return true;
  const parent = parentOf(note, facts, actor.id);
  return parent !== undefined && (parent.local || facts.hasLocalFollowers(parent.account_id));
};

/** Forwards a reply to a local post to those who have that post too. */
const forwardOf = ({ actor, body }: Incoming, note: ParsedNote, facts: Facts): Change[] => {
  const parent = facts.status(note.inReplyToUri);
  const isOpen = openTo("elsewhere", remoteVisibilityFacts(note.visibility));
  if (!parent?.local || !isOpen || !openTo("elsewhere", parent)) return [];
  const forward = {
    body,
    actorUri: actor.uri,
    actorId: actor.id,
    accountId: parent.account_id,
  };
  return [{ do: "forward", forward }];
};

/**
 * Asks for the authorization of a reply that the author of the post above has to allow and that is not proved yet.
 */
const unverifiedAnswer = (
  { actor }: Incoming,
  { uri, approvalUri, inReplyToUri }: ParsedNote,
  facts: Facts,
): Decision | null => {
  const parent = facts.status(inReplyToUri);
  if (!parent || !answerNeedsProof(parent, actor.id)) return null;
  return unverified(facts, {
    kind: "reply",
    uri: approvalUri,
    targetUri: parent.uri,
    interactingUri: uri,
  });
};

const judgeNote = (incoming: Incoming, note: ParsedNote, facts: Facts): Decision => {
  const { actor, now, isLocalUri } = incoming;
  if (facts.wasDeletedEarly(actor.uri, note.uri) || facts.status(note.uri)) return NOTHING;
  if (!isRelevant(incoming, note, facts)) return NOTHING;
  const parent = missingParent(note, facts, isLocalUri);
  if (parent) return fetchFirst(parent);
  const answered = parentOf(note, facts, actor.id);
  if (answered?.local && !facts.mayReply(actor.id, answered)) return NOTHING;
  const unverified = unverifiedAnswer(incoming, note, facts);
  if (unverified) return unverified;
  const created: Change = { do: "create", status: newNote(note, { author: actor, facts, now }) };
  return apply(created, ...forwardOf(incoming, note, facts));
};

const AUDIENCE = ["to", "cc", "bto", "bcc", "audience"];

/** Gives a note without an audience that of its activity; without either, followers of the author may see it. */
const withAudience = ({ actor, body }: Incoming, object: Json): Json => {
  if (AUDIENCE.some((member) => idsOf(object[member]).length > 0)) return object;
  const { to, cc } = body;
  if (idsOf(to).length > 0 || idsOf(cc).length > 0) return { ...object, to, cc };
  return actor.followers_url === null ? object : { ...object, cc: [actor.followers_url] };
};

const parseWhole = (incoming: Incoming, document: Json): Parsed | null => {
  const object = withAudience(incoming, document);
  const note = parseNote(object, noteContext(incoming));
  if (!note || incoming.isLocalUri(note.uri)) return null;
  const lookups = lookupsFor(note, incoming.actor.id, incoming.isLocalUri);
  if (note.quote) lookups.statuses = [...lookups.statuses!, note.quote.uri];
  return { lookups, judge: (facts) => judgeNote(incoming, note, facts) };
};

/** Fetches the note if the author has local followers. */
const parseAddress = ({ actor, body, isLocalUri }: Incoming): Parsed | null => {
  const uri = objectUri(body);
  if (!uri || isLocalUri(uri) || !sameHost(uri, actor.uri)) return null;
  const isFollowed = (facts: Facts): boolean => facts.hasLocalFollowers(actor.id);
  return aboutUnknownPost({ uri, ifUnreachable: "later" }, isFollowed);
};

/** Casts a vote; one that does not count (too late, a second one, for no existing option) is dropped. */
const castRemoteVote = async (app: App, actor: KnownActor, vote: Json, statusId: string) => {
  const [view] = await loadAsServer(app, [statusId]);
  const choice = view?.poll?.options.indexOf(textOf(vote["name"]) ?? "") ?? -1;
  if (!view?.poll || choice < 0) return;
  const uri = httpUrl(vote["id"]) ?? `${actor.uri}#votes/${view.poll.id}/${choice}`;
  await nullOn(isRefusal, castVote(app, asActor(actor.id), view.poll.id, [choice], uri));
};

/** Parses a vote: a note with the name of an option, in reply to a local poll. */
const parseVote = ({ actor }: Incoming, vote: Json): Parsed | null => {
  const question = httpUrl(idOf(vote["inReplyTo"]));
  if (!question || !authorUris(vote).includes(actor.uri)) return null;
  return {
    lookups: { statuses: [question] },
    judge(facts) {
      const status = facts.status(question);
      return status?.local ? run((app) => castRemoteVote(app, actor, vote, status.id)) : NOTHING;
    },
  };
};

export const parseCreate: Parse = (incoming) => {
  const { object } = incoming.body;
  if (!isRecord(object)) return parseAddress(incoming);
  const owned = withAuthor(incoming, object);
  return isVote(owned) ? parseVote(incoming, owned) : parseWhole(incoming, owned);
};

/** Parses what forwarded.ts wrote: a Create that its author signed and a relay brought. */
export const parseRelayedCreate: Parse = (incoming) => {
  const { object } = incoming.body;
  return isRecord(object) ? parseCreate({ ...incoming, body: object, isRelayed: true }) : null;
};
