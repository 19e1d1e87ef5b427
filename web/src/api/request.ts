// Makes requests that time out: on a connection that lost its other end the browser would wait for minutes.

/** Milliseconds after which people are told that a request still runs. */
export const SLOW_MS = 3000;
/** Milliseconds after which an unanswered request is given up. */
export const PATIENCE_MS = 10_000;

/** Waits until a form whose answer is a document may be sent again, as none has come. */
export const untilPatienceEnds = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));

/** Thrown when nobody answered: the server is unreachable, or takes too long. What was sent may have arrived. */
export class NoAnswer extends Error {}

export type Received = { status: number; text: string; link: string | null };

/** Returns the language in which the person reads messages of the server. */
export const readersLanguage = (): string => document.documentElement.lang || "en";

/** Sends a request; throws NoAnswer. Forms with files take as long as they need. */
export const request = async (address: string, init: RequestInit): Promise<Received> => {
  const headers = new Headers(init.headers);
  headers.set("accept-language", readersLanguage());
  const signal = init.body instanceof FormData ? null : AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(address, { ...init, headers, signal });
    const link = response.headers.get("link");
    return { status: response.status, text: await response.text(), link };
  } catch (error) {
    throw new NoAnswer("no answer", { cause: error });
  }
};

/** Limits the time of work with several requests. */
export const inTime = <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoAnswer("no answer")), PATIENCE_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};
