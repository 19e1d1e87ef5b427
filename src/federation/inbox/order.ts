// The order in which activities are worked on. Those of one actor stay in order where it matters: an
// Undo after what it undoes, an Update or Delete after its Create, a reply after what it replies to.
// Everything else the actor sends does not wait.

import { idOf, isRecord, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";

/** All later activities of the actor wait: they may depend on the change (who follows whom). */
export const EVERYTHING = "*";

const MAX_LENGTH = 2048;

const isUsable = (uri: string | null): uri is string =>
  uri !== null && uri !== "" && uri.length <= MAX_LENGTH;

/** The ids that an activity is about: its own, its object's, and those that the object names. */
export const subjectsOf = (body: Json): string[] => {
  const { object } = body;
  const inner = isRecord(object) ? [idOf(object["object"]), idOf(object["inReplyTo"])] : [];
  const all = [textOf(body["id"]), idOf(object), idOf(body["instrument"]), ...inner];
  return [...new Set(all.filter(isUsable))];
};

/** What the activities that are in progress or waiting are about, by actor. */
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

  /** Whether an activity of the actor about these has to wait. */
  blocks(actorUri: string, subjects: string[]): boolean {
    const known = this.byActor.get(actorUri);
    if (!known) return false;
    return known.has(EVERYTHING) || subjects.some((subject) => known.has(subject));
  }
}

/** One pass over all waiting activities, batch by batch, in order of arrival. */
export type Pass = {
  /** Up to this id nothing waits. */
  floor: string;
  /** The id of the last one that was read. */
  after: string;
  /** What the activities that were read and have to wait are about. */
  skipped: Subjects;
};

export const newPass = (floor = "0"): Pass => ({ floor, after: floor, skipped: new Subjects() });
