// The order in which the deliveries of one host are sent: an activity after all earlier ones of its line have
// been answered or put back; to its several inboxes at once.

type Queued = { activity_id: string };

type Line<T> = { waiting: T[]; next: number; current: string | null; inFlight: number };

type HostQueue<T> = {
  /** The next that may be sent now; null: none, or not before one in flight is finished. */
  take(): T | null;
  finish(delivery: T): void;
};

/** `lineOf`: deliveries of different lines do not wait for each other. */
export const createHostQueue = <T extends Queued>(
  deliveries: T[],
  lineOf: (delivery: T) => string,
): HostQueue<T> => {
  const lines = new Map<string, Line<T>>();
  for (const delivery of deliveries) {
    const key = lineOf(delivery);
    const line = lines.get(key);
    if (line) line.waiting.push(delivery);
    else lines.set(key, { waiting: [delivery], next: 0, current: null, inFlight: 0 });
  }
  const isFree = ({ waiting, next, current, inFlight }: Line<T>): boolean =>
    next < waiting.length && (inFlight === 0 || waiting[next]!.activity_id === current);
  return {
    take() {
      for (const line of lines.values()) {
        if (!isFree(line)) continue;
        const delivery = line.waiting[line.next++]!;
        line.current = delivery.activity_id;
        line.inFlight += 1;
        return delivery;
      }
      return null;
    },
    finish(delivery) {
      lines.get(lineOf(delivery))!.inFlight -= 1;
    },
  };
};
