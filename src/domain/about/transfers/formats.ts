// Reads and writes the files: comma-separated ones in Mastodon's format, with its headings, and its JSON of filters.
// https://docs.joinmastodon.org/user/moving/#export

import { Unprocessable } from "../../../platform/errors.ts";
import { httpUrl, isRecord, parseValue } from "../../../platform/json/read.ts";
import { says } from "../../../platform/text/texts.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { parseCsv, writeCsv } from "../../../platform/text/csv.ts";
import type { AnyEntry, Entry, FilterEntry, Kind } from "./tables.ts";

/** Lines of a file; longer files are refused. */
export const MAX_LINES = 20_000;

const ADDRESS = "Account address";

type Format<K extends Kind> = {
  /** Mastodon's name of the file. */
  file: string;
  /** First line, where Mastodon writes one. */
  headings: string[] | null;
  /** Columns of a file without headings. */
  columns: string[];
  cells: (entry: Entry[K]) => string[];
  /** Whether only a comma separates cells, because one may contain the other separators. */
  commas?: true;
  /** Whether lines of several cells belong to another kind, while a single cell may be anything. */
  oneCell?: true;
  /** Returns null where the line says nothing. `cell` returns undefined where the file has no such column. */
  read: (cell: (heading: string) => string | undefined) => Entry[K] | null;
};

const handle = (text: string | undefined): string => (text ?? "").trim().replace(/^@/, "");

const isTrue = (text: string): boolean => /^(?:true|1|t|yes)$/i.test(text.trim());

const codes = (text: string): string[] | null => {
  const known = text.split(",").flatMap((code) => normaliseLanguage(code) ?? []);
  return known.length > 0 ? [...new Set(known)] : null;
};

const FOLLOW_OPTIONS = [
  "Show boosts",
  "Notify on new posts",
  "Languages",
  "Show replies",
  "Posts a day",
];

const following: Format<"following"> = {
  file: "following_accounts.csv",
  // The last two are extensions; other software ignores columns that it does not know.
  headings: [ADDRESS, ...FOLLOW_OPTIONS],
  columns: [ADDRESS],
  cells: ({ acct, reblogs = true, notify = false, languages, replies = true, dailyLimit }) => [
    acct,
    String(reblogs),
    String(notify),
    languages?.join(", ") ?? "",
    String(replies),
    String(dailyLimit ?? ""),
  ],
  read: (cell) => {
    const acct = handle(cell(ADDRESS));
    if (acct === "") return null;
    const [reblogs, notify, languages, replies, limit] = FOLLOW_OPTIONS.map(cell);
    return {
      acct,
      ...(reblogs && { reblogs: isTrue(reblogs) }),
      ...(notify && { notify: isTrue(notify) }),
      ...(languages !== undefined && { languages: codes(languages) }),
      ...(replies && { replies: isTrue(replies) }),
      ...(limit !== undefined && { dailyLimit: Number.parseInt(limit, 10) || null }),
    };
  },
};

const blocks: Format<"blocks"> = {
  file: "blocked_accounts.csv",
  headings: null,
  columns: [ADDRESS],
  cells: ({ acct }) => [acct],
  read: (cell) => {
    const acct = handle(cell(ADDRESS));
    return acct === "" ? null : { acct };
  },
};

const mutes: Format<"mutes"> = {
  file: "muted_accounts.csv",
  // The last one is an extension.
  headings: [ADDRESS, "Hide notifications", "Ends at"],
  columns: [ADDRESS],
  cells: ({ acct, notifications, endsAt }) => [acct, String(notifications), endsAt ?? ""],
  read: (cell) => {
    const acct = handle(cell(ADDRESS));
    if (acct === "") return null;
    const notifications = isTrue(cell("Hide notifications") || "1");
    const endsAt = cell("Ends at")?.trim();
    return { acct, notifications, ...(endsAt && { endsAt }) };
  },
};

/** Makes the format of a file whose lines have one cell. */
const oneCell = <K extends Kind>(
  file: string,
  heading: string,
  member: keyof Entry[K],
  more: Pick<Format<K>, "commas" | "oneCell"> = {},
): Format<K> => ({
  file,
  headings: null,
  columns: [heading],
  cells: (entry) => [String(entry[member])],
  read: (cell) => {
    const text = (cell(heading) ?? "").trim();
    return text === "" ? null : ({ [member]: text } as Entry[K]);
  },
  ...more,
});

const lists: Format<"lists"> = {
  file: "lists.csv",
  headings: null,
  columns: ["List name", ADDRESS],
  cells: ({ title, acct }) => [title, acct],
  read: (cell) => {
    const [title, acct] = [(cell("List name") ?? "").trim(), handle(cell(ADDRESS))];
    return title === "" || acct === "" ? null : { title, acct };
  },
};

const accountNotes: Format<"account_notes"> = {
  file: "account_notes.csv",
  headings: [ADDRESS, "Note"],
  columns: [ADDRESS, "Note"],
  cells: ({ acct, note }) => [acct, note],
  read: (cell) => {
    const [acct, note] = [handle(cell(ADDRESS)), (cell("Note") ?? "").trim()];
    return acct === "" || note === "" ? null : { acct, note };
  },
};

const FORMATS: { [K in Exclude<Kind, "filters">]: Format<K> } = {
  following,
  blocks,
  mutes,
  domain_blocks: oneCell("blocked_domains.csv", "#domain", "domain"),
  lists,
  bookmarks: oneCell("bookmarks.csv", "#uri", "uri", { commas: true }),
  account_notes: accountNotes,
  followed_tags: oneCell("followed_tags.csv", "#tag", "name"),
  muted_tags: oneCell("muted_tags.csv", "#muted_tag", "name"),
  saved_searches: oneCell("saved_searches.csv", "#search", "q", { commas: true, oneCell: true }),
};

export const fileOf = (kind: Kind): string =>
  kind === "filters" ? "custom_filters.json" : FORMATS[kind].file;

/** Returns the heading line, or nothing. `more` has headings of further columns. */
export const headingsOf = (kind: Exclude<Kind, "filters">, more: string[] = []): string => {
  const { headings } = FORMATS[kind];
  return headings ? writeCsv([[...headings, ...more]]) : "";
};

/** `more` returns a further cell of each. */
export const linesOf = (
  kind: Exclude<Kind, "filters">,
  entries: AnyEntry[],
  more: string[] = [],
): string => {
  const { cells } = FORMATS[kind] as unknown as Format<never>;
  return writeCsv(
    entries.map((entry, at) => {
      const line = cells(entry as never);
      return at in more ? [...line, more[at]!] : line;
    }),
  );
};

export const filtersFile = (entries: FilterEntry[]): string =>
  JSON.stringify({ custom_filters: entries });

export const fold = (heading: string): string => heading.trim().toLowerCase();

/** Headings of first columns, by which a line of headings is recognised. */
const FIRST_HEADINGS = new Set(Object.values(FORMATS).map(({ columns }) => fold(columns[0]!)));

/** Returns the headings that only this kind has. */
const ownHeadings = (kind: keyof typeof FORMATS): string[] => {
  const { headings, columns } = FORMATS[kind];
  return [...(headings ?? []), ...columns].filter((name) => name !== ADDRESS).map(fold);
};

/** Returns whether the headings are those of another kind with accounts. */
const isOfOtherKind = (kind: keyof typeof FORMATS, names: string[]): boolean => {
  const said = new Set(names.map(fold));
  const has = (kind: keyof typeof FORMATS) => ownHeadings(kind).some((name) => said.has(name));
  return !has(kind) && (Object.keys(FORMATS) as (typeof kind)[]).some(has);
};

/** Recognises a line of lists, whose account is in the second cell. */
const isOfList = ([first = "", second = ""]: string[]): boolean =>
  !first.includes("@") && second.includes("@");

const isForeign = (
  format: Pick<Format<"blocks">, "oneCell" | "columns">,
  cells: string[],
): boolean =>
  (format.oneCell === true && cells.length > 1) ||
  (format.columns.length === 1 && format.columns[0] === ADDRESS && isOfList(cells));

const tooMany = (): Unprocessable =>
  new Unprocessable(says("import.too_long", { count: MAX_LINES }));

/** `unread` counts lines that say nothing of the kind. */
export type FileRead = { entries: AnyEntry[]; unread: number };

const allRead = (entries: AnyEntry[]): FileRead => ({ entries, unread: 0 });

const readLines = (kind: Exclude<Kind, "filters">, text: string): FileRead => {
  const format = FORMATS[kind] as Format<"blocks">;
  const lines = parseCsv(text, MAX_LINES + 2, format.commas && ",");
  const isHeaded = (lines[0] ?? []).some((cell) => FIRST_HEADINGS.has(fold(cell)));
  const names = isHeaded ? lines[0]! : format.columns;
  const places = new Map(names.map((name, place) => [fold(name), place]));
  if (isHeaded && (!places.has(fold(format.columns[0]!)) || isOfOtherKind(kind, names))) {
    throw new Unprocessable(says("import.other_kind"));
  }
  const rows = isHeaded ? lines.slice(1) : lines;
  if (rows.length > MAX_LINES) throw tooMany();
  const entries = rows.flatMap((cells) => {
    if (!isHeaded && isForeign(format, cells)) return [];
    const cell = (heading: string) => cells[places.get(fold(heading)) ?? -1];
    return format.read(cell) ?? [];
  });
  return { entries, unread: rows.length - entries.length };
};

type Loose = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const record = (value: unknown): Loose =>
  typeof value === "object" && value !== null ? (value as Loose) : {};

const filterOf = (value: unknown): FilterEntry => {
  const fields = record(value);
  const keywords = list(fields["keywords_attributes"] ?? fields["keywords"]).map(record);
  return {
    title: text(fields["title"]) || text(fields["phrase"]),
    context: list(fields["context"]).map(text),
    action: text(fields["action"] ?? fields["filter_action"]) || "warn",
    expire_at: text(fields["expire_at"] ?? fields["expires_at"]) || null,
    keywords_attributes: keywords.map((keyword) => ({
      keyword: text(keyword["keyword"]),
      whole_word: keyword["whole_word"] !== false,
      wildcards: keyword["wildcards"] === true,
    })),
    statuses: list(fields["statuses"]).map(text).filter(Boolean),
  };
};

const readFilters = (source: string): FilterEntry[] => {
  const parsed = parseValue(source);
  if (parsed === null) throw new Unprocessable(says("import.not_json"));
  const filters = list(Array.isArray(parsed) ? parsed : record(parsed)["custom_filters"]);
  if (filters.length > 500) throw new Unprocessable(says("import.filters", { count: 500 }));
  return filters.map(filterOf);
};

/** Makes an entry of an address; null for kinds without addresses. */
const ENTRIES: Partial<Record<Kind, (uri: string) => AnyEntry>> = {
  following: (acct) => ({ acct }),
  blocks: (acct) => ({ acct }),
  mutes: (acct) => ({ acct, notifications: true }),
  bookmarks: (uri) => ({ uri }),
};

/** Reads addresses, as in lists of Pixelfed and archives of ActivityPub. Throws 422 for too many. */
export const addressEntries = (kind: Kind, uris: unknown[]): AnyEntry[] => {
  const entry = ENTRIES[kind];
  if (!entry) throw new Unprocessable(says("import.other_kind"));
  if (uris.length > MAX_LINES) throw tooMany();
  return uris.flatMap((value) => httpUrl(value) ?? []).map(entry);
};

/** Members of Pixelfed's file of muted and blocked accounts; PHP writes some lists as objects. */
const MEMBERS: Partial<Record<Kind, string>> = { mutes: "muted", blocks: "blocked" };

const readAddresses = (kind: Kind, source: string): AnyEntry[] => {
  const value = parseValue(source);
  const uris = isRecord(value) ? value[MEMBERS[kind] ?? "orderedItems"] : value;
  return addressEntries(kind, isRecord(uris) ? Object.values(uris) : list(uris));
};

const readAny = (kind: Kind, source: string): FileRead => {
  if (kind === "filters") return allRead(readFilters(source));
  return /^\ufeff?\s*[[{]/.test(source)
    ? allRead(readAddresses(kind, source))
    : readLines(kind, source);
};

/**
 * Throws 422 for a file that cannot be read, is too long or, unless `mayBeEmpty`, is empty. PostgreSQL stores no NUL.
 */
export const readFileOf = (kind: Kind, source: string, mayBeEmpty = false): FileRead => {
  const clean = source.replaceAll("\0", "").toWellFormed();
  const read = readAny(kind, clean);
  if (read.entries.length === 0 && !mayBeEmpty) {
    throw new Unprocessable(says(read.unread > 0 ? "import.unreadable" : "import.empty"));
  }
  return read;
};

/** Guesses the kind by the name of a file that Mastodon wrote; returns null for other names. */
export const guessKind = (fileName: string): Kind | null => {
  const name = fileName.toLowerCase();
  if (/muted_tag/.test(name)) return "muted_tags";
  if (/tag/.test(name)) return "followed_tags";
  if (/account_notes/.test(name)) return "account_notes";
  if (/followers/.test(name)) return null;
  if (/follow/.test(name)) return "following";
  if (/domain/.test(name)) return "domain_blocks";
  if (/block/.test(name)) return "blocks";
  if (/mute/.test(name)) return "mutes";
  if (/list/.test(name)) return "lists";
  if (/search/.test(name)) return "saved_searches";
  if (/bookmark/.test(name)) return "bookmarks";
  return /filter/.test(name) ? "filters" : null;
};
