// What a page asks the API for: the same on the server, which asks itself, and in the browser, which sends a request.

export type Params = Record<
  string,
  string | number | boolean | readonly string[] | null | undefined
>;

export type Answer<T> = {
  status: number;
  body: T;
  /** `max_id`, `offset` … of the next page, from the Link header; null: this was the last. */
  next: Record<string, string> | null;
};

/** Throws ApiError where the answer is not a success. */
export type Get = <T>(path: string, params?: Params) => Promise<Answer<T>>;

/** An answer of the API other than a success. `message`: why, for whoever reads; empty where only the status says it. */
export class ApiError extends Error {
  status: number;
  /** It was taken, and waits for a moderator. */
  isHeld: boolean;

  constructor(status: number, message: string, isHeld = false) {
    super(message);
    this.status = status;
    this.isHeld = isHeld;
  }
}

const entriesOf = ([name, value]: [string, Params[string]]): [string, string][] => {
  if (value === null || value === undefined) return [];
  if (typeof value === "object") return value.map((each) => [`${name}[]`, each]);
  return [[name, String(value)]];
};

/** The path with its query. */
export const withParams = (path: string, params: Params = {}): string => {
  const query = new URLSearchParams(Object.entries(params).flatMap(entriesOf)).toString();
  return query ? `${path}?${query}` : path;
};

/** The parameters of the page that a Link header names as next. */
export const nextOf = (link: string | null): Record<string, string> | null => {
  const [, url] = /<([^>]+)>;\s*rel="next"/.exec(link ?? "") ?? [];
  if (!url) return null;
  const params = new URL(url, "http://localhost").searchParams;
  const present = ["max_id", "offset", "page"].filter((name) => params.has(name));
  return Object.fromEntries(present.map((name) => [name, params.get(name)!]));
};

/** The answer of a request by its parts; throws ApiError. `language`: of who reads why it was refused. */
export const answerOf = <T>(
  status: number,
  text: string,
  link: string | null,
  language = "en",
): Answer<T> => {
  const body = parse(text);
  if (status >= 400) throw new ApiError(status, messageOf(body, language), isHeld(body));
  return { status, body: body as T, next: nextOf(link) };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isHeld = (body: unknown): boolean => (body as { held?: unknown } | null)?.held === true;

/** `error` is in English, and `error_text` in the language that was asked for, where there is one. */
const messageOf = (body: unknown, language: string): string => {
  const { error, error_text: text } = (body ?? {}) as Record<string, unknown>;
  const words = text ?? (language.startsWith("en") ? error : "");
  return typeof words === "string" ? words.replace(/^Validation failed: /, "") : "";
};
