// What the crawler needs of a browser, whichever it is: windows of people, hands at coordinates, and what went wrong.

export const BROWSERS = ["chromium", "firefox", "webkit"] as const;
export type BrowserName = (typeof BROWSERS)[number];

export type WindowOptions = {
  width: number;
  height: number;
  /** As a phone has: presses are taps. */
  touch: boolean;
  /** Of the server: the window belongs to whoever they sign in. */
  cookies: ReadonlyMap<string, string>;
  /** Of the server, as `http://127.0.0.1:PORT`. */
  origin: string;
};

/** A window with a state of its own: cookies, storage, caches. */
export type Window = {
  /** Until the document is loaded. */
  open(path: string): Promise<void>;
  /** An expression, awaited; in any document, whatever its policy forbids. */
  evaluate<T>(expression: string): Promise<T>;
  /** By the mouse, or a finger where the window has touch. */
  press(x: number, y: number): Promise<void>;
  key(name: string): Promise<void>;
  /** To a file. */
  picture(path: string): Promise<void>;
  /** What the console and scripts complained of since the last call. */
  takeFaults(): string[];
  close(): Promise<void>;
};

export type Browser = {
  name: BrowserName;
  version: string;
  window(options: WindowOptions): Promise<Window>;
  close(): Promise<void>;
};

/** Above what any answer of a page takes: a page that needs longer hangs. */
export const HANGS_MS = 30_000;

/** What does not come within the time of a page that hangs. */
export const orHangs = async <T>(
  what: string,
  work: Promise<T>,
  limitMs = HANGS_MS,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the page hangs: ${what}`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
