// Events as ActivityPub: the members of an Event object (FEP-8a8e; Mobilizon, Gancio), and the answers of people here
// to events of other servers. Which activity says what depends on who reads it: docs/design/events.md.

import { escapeHtml } from "../../../platform/text/html.ts";
import { AS_CONTEXT, sendable, undo } from "../../people/accounts/activitypub.ts";
import type { Sendable } from "../../people/accounts/activitypub.ts";
import type { StoredAnswer } from "./events.ts";
import { linesOfRow } from "./lines.ts";
import type { Answer, EventRow } from "./tables.ts";

/** To the second, as peers write it. */
const moment = (iso: string): string => `${new Date(iso).toISOString().slice(0, 19)}Z`;

export const EVENT_TERMS = {
  mz: "https://joinmobilizon.org/ns#",
  joinMode: "mz:joinMode",
  dcterms: "http://purl.org/dc/terms/",
};

/** What software shows that knows no events, beside the name: when and where it is. */
const summaryOf = (event: EventRow): string => linesOfRow(event).join(", ");

/** Hubzilla reads `content`, all others `name`. A text as `address` is an error for Mobilizon. */
const placeOf = (place: string) => ({ type: "Place", name: place, content: place });

/**
 * The members of an Event beside, and in place of, those of a Note. A content warning is shown by who shows a summary
 * alone; who shows the text knows it from `dcterms:subject` (FEP-b2b8).
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

/** Who reads the answers: servers that know Join, Accept and Reject of an event, or both. */
export type Reader = "joins" | "rsvps" | "both";

type AnswerType = "Join" | "Accept" | "TentativeAccept" | "Reject";

/** Null: nobody reads it, and it stays here. */
const TYPES: Record<Reader, Record<Answer, AnswerType | null>> = {
  joins: { yes: "Join", maybe: null, no: null },
  rsvps: { yes: "Accept", maybe: "TentativeAccept", no: "Reject" },
  both: { yes: "Join", maybe: "TentativeAccept", no: "Reject" },
};

/** The answer that an activity of this type about an event is; null for other types. */
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

/** Null where the author's server would not read it. */
export const answerActivity = (
  { answer, uri }: StoredAnswer,
  reader: Reader,
  parties: Parties,
): Sendable | null => {
  const type = TYPES[reader][answer];
  return type && activity(uri, type, parties);
};

/** The same of its end: Leave of what was joined, Undo of the others. */
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

/** By the author of the event; `id`: of the answer. */
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
