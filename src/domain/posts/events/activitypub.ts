// Presents calendar events as ActivityPub: the members of an Event object (FEP-8a8e; Mobilizon, Gancio), and the
// answers of local people to those of other servers. The activity for an answer depends on the reader's software:
// docs/design/events.md.

import { escapeHtml } from "../../../platform/text/html.ts";
import { AS_CONTEXT, sendable, undo } from "../../people/accounts/activitypub.ts";
import type { Sendable } from "../../people/accounts/activitypub.ts";
import type { StoredAnswer } from "./events.ts";
import { linesOfRow } from "./lines.ts";
import type { Answer, EventRow } from "./tables.ts";

/** Writes times to the second, as peers do. */
const moment = (iso: string): string => `${new Date(iso).toISOString().slice(0, 19)}Z`;

export const EVENT_TERMS = {
  mz: "https://joinmobilizon.org/ns#",
  joinMode: "mz:joinMode",
  dcterms: "http://purl.org/dc/terms/",
};

/** Describes when and where the event is, for software that knows no events and shows this beside the name. */
const summaryOf = (event: EventRow): string => linesOfRow(event).join(", ");

/** Hubzilla reads `content`, all others `name`. A text as `address` is an error for Mobilizon. */
const placeOf = (place: string) => ({ type: "Place", name: place, content: place });

/**
 * Returns the members of an Event in addition to, and in place of, those of a Note. Software that shows only a summary
 * shows a content warning in it; software that shows the text knows the warning from `dcterms:subject` (FEP-b2b8).
 */
export const eventMembers = (event: EventRow, warning: string) => ({
  name: event.name,
  startTime: moment(event.starts_at),
  ...(event.ends_at !== null && { endTime: moment(event.ends_at) }),
  ...(event.place !== null && { location: placeOf(event.place) }),
  joinMode: "free",
  summary: escapeHtml(warning || summaryOf(event)),
  ...(warning !== "" && { sensitive: true, "dcterms:subject": warning }),
});

/** Answers that a server reads: Join activities, Accept and Reject of the event, or both. */
export type Reader = "joins" | "rsvps" | "both";

type AnswerType = "Join" | "Accept" | "TentativeAccept" | "Reject";

/** Maps answers to activities; null where nobody reads it and it stays here. */
const TYPES: Record<Reader, Record<Answer, AnswerType | null>> = {
  joins: { yes: "Join", maybe: null, no: null },
  rsvps: { yes: "Accept", maybe: "TentativeAccept", no: "Reject" },
  both: { yes: "Join", maybe: "TentativeAccept", no: "Reject" },
};

/** Returns the answer for an activity of this type about an event; null for other types. */
export const answerOfType = (types: string[]): Answer | null => {
  const answers = Object.entries(TYPES.rsvps) as [Answer, AnswerType][];
  const known = answers.find(([, type]) => types.includes(type))?.[0] ?? null;
  return types.includes("Join") ? "yes" : known;
};

type Parties = { actorUri: string; eventUri: string; authorUri: string };

const activity = (id: string, type: string, { actorUri, eventUri, authorUri }: Parties) =>
  sendable({
    "@context": AS_CONTEXT,
    id,
    type,
    actor: actorUri,
    to: [authorUri],
    object: eventUri,
  });

/** Returns null where the author's server would not read the answer. */
export const answerActivity = (
  { answer, uri }: StoredAnswer,
  reader: Reader,
  parties: Parties,
): Sendable | null => {
  const type = TYPES[reader][answer];
  return type && activity(uri, type, parties);
};

/** Makes the activity that takes an answer back: Leave for a Join, Undo for others. */
export const endActivity = (
  stored: StoredAnswer,
  reader: Reader,
  parties: Parties,
): Sendable | null => {
  const answer = answerActivity(stored, reader, parties);
  if (answer?.["type"] === "Join") return activity(`${stored.uri}/leave`, "Leave", parties);
  return answer && undo(answer, { to: [parties.authorUri] });
};

export type Join = { id: string; actor: string; object: string };

/** Makes the answer to a Join, which the author of the event sends; `id` is that of the answer. */
export const joinAnswer = (
  type: "Accept" | "Reject",
  { id, author, join }: { id: string; author: string; join: Join },
): Sendable =>
  sendable({
    "@context": AS_CONTEXT,
    id,
    type,
    actor: author,
    to: [join.actor],
    object: { type: "Join", ...join },
  });
