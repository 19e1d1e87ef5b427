// What an activity of the common kinds will do, found without a query of its own. First each is read
// and says what has to be known (`sift`), then it is judged (`planOf`): by the same rules as the
// handlers, which work on all that is not common or that needs another server (`slow`).

import type { App } from "../../platform/app.ts";
import {
  dateOf,
  httpUrl,
  idOf,
  idsOf,
  isRecord,
  sameHost,
  typesOf,
} from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import type { NewStatus } from "../../domain/statuses/create.ts";
import { newReblog } from "../../domain/statuses/reblog.ts";
import { addressedVisibility, isVote, parseNote } from "../../domain/statuses/parse-note.ts";
import type { ParsedNote } from "../../domain/statuses/parse-note.ts";
import type { Visibility } from "../../domain/statuses/tables.ts";
import { isOurs } from "../hosts.ts";
import { newNote } from "../store-note.ts";
import { activityUri, objectUri } from "./handler.ts";
import type { Known, Wanted } from "./known.ts";
import type { StatusFacts } from "./queries-batch.ts";
import type { KnownActor } from "./queries.ts";

export type Plan =
  | { kind: "nothing" }
  | { kind: "slow" }
  | { kind: "create"; status: NewStatus }
  | { kind: "favourite"; statusId: string; uri: string }
  | { kind: "unfavourite"; statusId: string }
  | { kind: "remove"; statusId: string }
  | { kind: "earlyDelete"; uri: string };

type Sifted = {
  wanted: Partial<Wanted>;
  judge(known: Known): Plan;
};

type Sifter = (app: App, actor: KnownActor, body: Json) => Sifted | "slow" | "nothing";

const NOTHING: Plan = { kind: "nothing" };
const SLOW: Plan = { kind: "slow" };

const mentionsOf = (note: ParsedNote, known: Known): NewStatus["mentions"] => {
  const loud = new Set(note.mentionUris);
  return [...note.mentionUris, ...note.silentUris].flatMap((uri) => {
    const person = known.actor(uri);
    if (!person || person.suspended) return [];
    return [{ accountId: person.id, silent: !loud.has(uri) }];
  });
};

/** Somebody here has a reason to see it; everything else that strangers send is not kept. */
const concernsUs = (actor: KnownActor, note: ParsedNote, known: Known): boolean => {
  if (known.isFollowedHere(actor.id)) return true;
  const addressed = [...note.mentionUris, ...note.silentUris];
  if (addressed.some((uri) => known.actor(uri)?.domain === null)) return true;
  const parent = known.status(note.inReplyToUri);
  return parent !== undefined && (parent.local || known.isFollowedHere(parent.account_id));
};

const planNote = (app: App, actor: KnownActor, note: ParsedNote, known: Known): Plan => {
  if (known.wasTakenBack(actor.uri, note.uri) || known.status(note.uri)) return NOTHING;
  if (!concernsUs(actor, note, known)) return NOTHING;
  const parent = known.status(note.inReplyToUri);
  // What it answers is unknown, and has to be fetched; or it is a reblog, which nobody answers.
  if (note.inReplyToUri !== null && (!parent || parent.reblog_of_id !== null)) return SLOW;
  const inReplyTo = parent
    ? { id: parent.id, accountId: parent.account_id, conversationId: parent.conversation_id }
    : null;
  const mentions = mentionsOf(note, known);
  const facts = { accountId: actor.id, inReplyTo, mentions, quoteDepth: 0, now: app.clock.now() };
  return { kind: "create", status: newNote(note, facts) };
};

const siftCreate: Sifter = (app, actor, body) => {
  const { object } = body;
  if (!isRecord(object) || isVote(object)) return "slow";
  const context = { actorUri: actor.uri, followersUrl: actor.followers_url, now: app.clock.now() };
  const note = parseNote(object, context);
  if (!note || isOurs(app, note.uri)) return "nothing";
  if (note.poll || note.quote) return "slow";
  return {
    wanted: {
      people: [...note.mentionUris, ...note.silentUris],
      statuses: note.inReplyToUri === null ? [note.uri] : [note.uri, note.inReplyToUri],
      takenBack: [note.uri],
    },
    judge: (known) => planNote(app, actor, note, known),
  };
};

/** Everybody may see it, but for whom the author blocks. */
const isOpenTo = (target: StatusFacts, actor: KnownActor, known: Known): boolean =>
  !target.author_suspended &&
  (target.account_id === actor.id || !known.isBarred(target.account_id, actor.id));

const isEverybodys = (target: StatusFacts): boolean =>
  target.visibility === "public" || target.visibility === "unlisted";

const siftLike: Sifter = (_app, actor, body) => {
  const target = objectUri(body);
  if (!target) return "nothing";
  const uri = activityUri({ actor, body });
  return {
    wanted: {
      statuses: [target],
      takenBack: [uri],
      acts: [{ actorId: actor.id, statusUri: target }],
    },
    judge(known) {
      const status = known.status(target);
      if (!status?.local || known.wasTakenBack(actor.uri, uri)) return NOTHING;
      if (!isEverybodys(status)) return SLOW;
      if (status.reblog_of_id !== null || !isOpenTo(status, actor, known)) return NOTHING;
      return { kind: "favourite", statusId: status.id, uri };
    },
  };
};

/** The published time where it is in the past, else now. */
export const pastDate = (app: App, body: Json): Date | null => {
  const date = dateOf(body["published"]);
  return date && date < app.clock.now() && date.getUTCFullYear() >= 1990 ? date : null;
};

/** The address under which a reblog is kept and who gets it; null for one that is not taken. */
export const announceOf = (actor: KnownActor, body: Json) => {
  const uri = httpUrl(body["id"]);
  const visibility = addressedVisibility(idsOf(body["to"]), idsOf(body["cc"]), actor.followers_url);
  // A reblog is kept under this id, so it must be one that the actor's server may give.
  if (!uri || !sameHost(uri, actor.uri) || visibility === "direct") return null;
  return { uri, visibility: visibility as Visibility };
};

const siftAnnounce: Sifter = (app, actor, body) => {
  const announce = announceOf(actor, body);
  const target = objectUri(body);
  if (!announce || !target) return "nothing";
  return {
    wanted: {
      statuses: [target],
      takenBack: [announce.uri],
      acts: [{ actorId: actor.id, statusUri: target }],
    },
    judge(known) {
      if (known.wasTakenBack(actor.uri, announce.uri)) return NOTHING;
      const status = known.status(target);
      if (!status?.local && (isOurs(app, target) || !known.isFollowedHere(actor.id)))
        return NOTHING;
      if (!status || !isEverybodys(status)) return SLOW;
      if (status.reblog_of_id !== null || !isOpenTo(status, actor, known)) return NOTHING;
      const createdAt = pastDate(app, body) ?? app.clock.now();
      const reblog = { ...announce, accountId: actor.id, targetId: status.id, createdAt };
      return { kind: "create", status: newReblog(reblog) };
    },
  };
};

const siftDelete: Sifter = (app, actor, body) => {
  const uri = objectUri(body);
  if (!uri || isOurs(app, uri)) return "nothing";
  if (uri === actor.uri) return "slow";
  return {
    wanted: { statuses: [uri], stamps: [uri] },
    judge(known) {
      if (known.isStamp(uri)) return SLOW;
      const status = known.status(uri);
      if (!status) return sameHost(uri, actor.uri) ? { kind: "earlyDelete", uri } : NOTHING;
      return status.account_id === actor.id ? { kind: "remove", statusId: status.id } : NOTHING;
    },
  };
};

/** Of a Like or an Announce that is given whole and known by its id; everything else is rare. */
const siftUndo: Sifter = (app, actor, body) => {
  const { object } = body;
  const uri = httpUrl(idOf(object));
  if (!isRecord(object) || !uri || isOurs(app, uri)) return "slow";
  if (object["actor"] !== undefined && idOf(object["actor"]) !== actor.uri) return "nothing";
  const isLike = typesOf(object).join() === "Like";
  if (!isLike && typesOf(object).join() !== "Announce") return "slow";
  return {
    wanted: { statuses: [uri], likes: isLike ? [uri] : [] },
    judge(known) {
      const status = known.status(uri);
      if (status) {
        const isOwnReblog = status.account_id === actor.id && status.reblog_of_id !== null;
        return isOwnReblog ? { kind: "remove", statusId: status.id } : NOTHING;
      }
      const statusId = known.likedBy(actor.id, uri);
      return statusId === undefined ? SLOW : { kind: "unfavourite", statusId };
    },
  };
};

const SIFTERS: Record<string, Sifter> = {
  Announce: siftAnnounce,
  Create: siftCreate,
  Delete: siftDelete,
  Like: siftLike,
  Undo: siftUndo,
};

/** What has to be known of the activity, and how it is judged then. */
export const sift = (app: App, actor: KnownActor, body: Json): Sifted => {
  const types = typesOf(body);
  const sifter = types.length === 1 ? SIFTERS[types[0]!] : undefined;
  const sifted = sifter ? sifter(app, actor, body) : "slow";
  if (sifted === "slow") return { wanted: {}, judge: () => SLOW };
  if (sifted === "nothing") return { wanted: {}, judge: () => NOTHING };
  return sifted;
};

export type { Sifted };
