// Requests that end: on a line that lost its other end the browser would wait for minutes.

/** After so long people are told that something is still under way. */
export const SLOW_MS = 3000;
/** What has not been answered by then is not waited for any longer. */
export const PATIENCE_MS = 10_000;

/** Nobody answered: there is no way to the server, or it takes too long. What was sent may have arrived. */
export class NoAnswer extends Error {}

export type Received = { status: number; text: string; link: string | null };

/** The language in which the person reads what the server says. */
export const readersLanguage = (): string => document.documentElement.lang || "en";

/** Throws NoAnswer. Forms with files take as long as they need. */
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

/** The same for work of several requests. */
export const inTime = <T>(work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new NoAnswer("no answer")), PATIENCE_MS);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};
