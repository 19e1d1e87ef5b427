// Groups events so that each group can be processed as one batch: events of one type, without changing
// the order of events about the same subject.

type Event = { type: string };

/**
 * Returns groups of one type each, in an order that is right for every subject: an event joins the first group of its
 * type that does not come before an earlier event about the same subject.
 */
export const inOrder = <T extends Event>(events: T[], subjectOf: (event: T) => string): T[][] => {
  const groups: T[][] = [];
  /** The last group that has an event about each subject. */
  const lastOf = new Map<string, number>();
  /** The groups of each type. */
  const ofType = new Map<string, number[]>();
  for (const event of events) {
    const subject = subjectOf(event);
    const earliest = lastOf.get(subject) ?? 0;
    const own = ofType.get(event.type) ?? [];
    let place = own.find((group) => group >= earliest);
    if (place === undefined) {
      place = groups.push([]) - 1;
      own.push(place);
      ofType.set(event.type, own);
    }
    groups[place]!.push(event);
    lastOf.set(subject, place);
  }
  return groups;
};
