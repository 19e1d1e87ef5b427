// In which order activities are worked on. What an actor sends is kept in order where it matters: an
// Undo after its act, an Update or Delete after its Create, an answer after what it answers. Whatever
// else the actor sends does not wait.

import { idOf, isRecord, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";

/** Everything later of the actor waits: it may depend on what is changed (who follows whom). */
export const EVERYTHING = "*";

const MAX_LENGTH = 2048;

const isUsable = (uri: string | null): uri is string =>
  uri !== null && uri !== "" && uri.length <= MAX_LENGTH;

/** The addresses that an activity is about: its own, its object's, and those that these name. */
export const subjectsOf = (body: Json): string[] => {
  const { object } = body;
  const inner = isRecord(object) ? [idOf(object["object"]), idOf(object["inReplyTo"])] : [];
  const all = [textOf(body["id"]), idOf(object), idOf(body["instrument"]), ...inner];
  return [...new Set(all.filter(isUsable))];
};

/** What is in progress, or waits, by actor. */
export class Subjects {
  private byActor = new Map<string, Set<string>>();

  add(actorUri: string, subjects: string[]): void {
    const known = this.byActor.get(actorUri);
    if (known) for (const subject of subjects) known.add(subject);
    else this.byActor.set(actorUri, new Set(subjects));
  }

  isEmpty(): boolean {
    return this.byActor.size === 0;
  }

  /** Whether something of the actor's is about one of these. */
  holdUp(actorUri: string, subjects: string[]): boolean {
    const known = this.byActor.get(actorUri);
    if (!known) return false;
    return known.has(EVERYTHING) || subjects.some((subject) => known.has(subject));
  }
}

/** One pass over all that waits, batch by batch, in the order in which it came. */
export type Pass = {
  /** The last that was looked at. */
  after: string;
  /** What was looked at and has to wait. */
  passedOver: Subjects;
};

export const newPass = (): Pass => ({ after: "0", passedOver: new Subjects() });
