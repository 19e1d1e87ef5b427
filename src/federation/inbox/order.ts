// The order in which activities are processed. Those of one actor stay in order where it matters: an Undo after what it
// undoes, an Update or Delete after its Create, a reply after what it replies to. Other activities of the actor do not
// wait.

import { idOf, isRecord, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";

/**
 * Subject of an activity that all later ones of the actor wait for: they may depend on the change (who follows whom).
 */
export const EVERYTHING = "*";

const MAX_LENGTH = 2048;

const isUsable = (uri: string | null): uri is string =>
  uri !== null && uri !== "" && uri.length <= MAX_LENGTH;

/** Returns the ids that an activity is about: its own, its object's, and those that the object names. */
export const subjectsOf = (body: Json): string[] => {
  const { object } = body;
  const inner = isRecord(object) ? [idOf(object["object"]), idOf(object["inReplyTo"])] : [];
  const all = [textOf(body["id"]), idOf(object), idOf(body["instrument"]), ...inner];
  return [...new Set(all.filter(isUsable))];
};

/** The subjects of activities that are in progress or waiting, by actor. */
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

  /** Whether an activity of the actor about these subjects has to wait. */
  blocks(actorUri: string, subjects: string[]): boolean {
    const known = this.byActor.get(actorUri);
    if (!known) return false;
    return known.has(EVERYTHING) || subjects.some((subject) => known.has(subject));
  }
}

/** One pass over all waiting activities, batch by batch, in order of arrival. */
export type Pass = {
  /** No activity with an id up to this one waits. */
  floor: string;
  /** Id of the last activity that was read. */
  after: string;
  /** Subjects of the activities that were read and have to wait. */
  skipped: Subjects;
};

export const newPass = (floor = "0"): Pass => ({ floor, after: floor, skipped: new Subjects() });
