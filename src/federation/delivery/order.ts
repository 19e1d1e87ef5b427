// The order in which the deliveries of one host are sent: an activity is sent to all its inboxes at once, after all
// earlier ones of its line (of one sender where many wait, otherwise of all) got a response or were put back.

type Queued = { activity_id: string };

type Line<T> = { waiting: T[]; next: number; current: string | null; inFlight: number };

type HostQueue<T> = {
  /** Returns a delivery that may be sent now; null if there is none, or none before one in flight is finished. */
  take(): T | null;
  finish(delivery: T): void;
};

/** `lineOf` groups deliveries; those of different lines do not wait for each other. */
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
