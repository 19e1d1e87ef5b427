// Requests of a page to the API: on the server, which asks itself, and in the browser, which sends a request.

export type Params = Record<
  string,
  string | number | boolean | readonly string[] | null | undefined
>;

export type Answer<T> = {
  status: number;
  body: T;
  /** Parameters of the next page (`max_id`, `offset` …) from the Link header; null after the last page. */
  next: Record<string, string> | null;
  /** Id after which the page of newer entries begins, which is above all that was looked at for this one. */
  newerFrom: string | null;
};

/** Requests a path; throws ApiError where the answer is not a success. */
export type Get = <T>(path: string, params?: Params) => Promise<Answer<T>>;

type Told = {
  error?: unknown;
  error_text?: unknown;
  error_texts?: Record<string, string>;
  held?: unknown;
  index?: number;
};

/**
 * An answer of the API other than a success. `message` says why, to people; it is empty where only the status says it.
 */
export class ApiError extends Error {
  status: number;
  /** True when it was accepted, and waits for a moderator. */
  isHeld: boolean;
  /** Which post of a thread it is about, from 0. */
  index: number | undefined;
  /** What is wrong with which input of a form. */
  faults: Record<string, string>;

  constructor(status: number, message: string, told: Told = {}) {
    const { held, index, error_texts: faults = {} } = told;
    super(message);
    this.status = status;
    this.isHeld = held === true;
    this.index = index;
    this.faults = faults;
  }
}

const entriesOf = ([name, value]: [string, Params[string]]): [string, string][] => {
  if (value === null || value === undefined) return [];
  if (typeof value === "object") return value.map((each) => [`${name}[]`, each]);
  return [[name, String(value)]];
};

/** Returns the path with its query. */
export const withParams = (path: string, params: Params = {}): string => {
  const query = new URLSearchParams(Object.entries(params).flatMap(entriesOf)).toString();
  return query ? `${path}?${query}` : path;
};

/** Returns the parameters of the page that a Link header names so. */
const paramsOf = (link: string | null, rel: "next" | "prev"): URLSearchParams | null => {
  const [, url] = new RegExp(`<([^>]+)>;\\s*rel="${rel}"`).exec(link ?? "") ?? [];
  return url ? new URL(url, "http://localhost").searchParams : null;
};

/** Returns the parameters of the page that a Link header names as next. */
export const nextOf = (link: string | null): Record<string, string> | null => {
  const params = paramsOf(link, "next");
  if (!params) return null;
  const present = ["max_id", "offset", "page"].filter((name) => params.has(name));
  return Object.fromEntries(present.map((name) => [name, params.get(name)!]));
};

const newerFromOf = (link: string | null): string | null =>
  paramsOf(link, "prev")?.get("min_id") ?? null;

/** Returns an answer, whose body is null where it is no JSON; throws ApiError. */
export const answered = <T>(
  status: number,
  body: unknown,
  link: string | null,
  language = "en",
): Answer<T> => {
  const told = body as Told | null;
  if (status >= 400) throw new ApiError(status, messageOf(told, language), told ?? {});
  return { status, body: body as T, next: nextOf(link), newerFrom: newerFromOf(link) };
};

/** Parses the parts of an answer; throws ApiError. `language` is that of the person who reads why it was refused. */
export const answerOf = <T>(
  status: number,
  text: string,
  link: string | null,
  language?: string,
): Answer<T> => answered(status, parse(text), link, language);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Returns the message: `error` is for programs, in English; `error_text` for people, where it says something else, and
 * `error_texts` of each field.
 */
const messageOf = (body: unknown, language: string): string => {
  const { error, error_text: text, error_texts: texts = {} } = (body ?? {}) as Told;
  const words = text ?? (language.startsWith("en") ? error : Object.values(texts).join(" "));
  return typeof words === "string" ? words.replace(/^Validation failed: /, "") : "";
};
