// What the crawler needs of any browser: windows of people, presses at coordinates, and errors.

export const BROWSERS = ["chromium", "firefox", "webkit"] as const;
export type BrowserName = (typeof BROWSERS)[number];

export type WindowOptions = {
  width: number;
  height: number;
  /** Has touch, like a phone: presses are taps. */
  touch: boolean;
  /** Forbids pages to run scripts, which only Chromium can. */
  withoutScripts?: boolean | undefined;
  /** Cookies of the server, which sign the window's person in. */
  cookies: ReadonlyMap<string, string>;
  /** Origin of the server, as `http://127.0.0.1:PORT`. */
  origin: string;
};

/** A window with a state of its own: cookies, storage, caches. */
export type Window = {
  /** Opens a path; resolves when the document is loaded. */
  open(path: string): Promise<void>;
  /** Evaluates an expression, awaited, in any document, whatever its policy forbids. */
  evaluate<T>(expression: string): Promise<T>;
  /** Presses by the mouse, or by a finger where the window has touch. */
  press(x: number, y: number): Promise<void>;
  key(name: string): Promise<void>;
  /** Writes a picture to a file. */
  picture(path: string): Promise<void>;
  /** Returns what the console and scripts reported since the last call. */
  takeFaults(): string[];
  close(): Promise<void>;
};

export type Browser = {
  name: BrowserName;
  version: string;
  window(options: WindowOptions): Promise<Window>;
  close(): Promise<void>;
};

/** Milliseconds above what any answer of a page takes: a page that needs longer hangs. */
export const HANGS_MS = 30_000;

/** Rejects when the work takes as long as a page that hangs. */
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
