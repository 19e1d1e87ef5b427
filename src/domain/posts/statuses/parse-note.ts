// Parses a remote object (Note, Question, Article, Page, Video …) into what is stored of it, with its quote and who may
// quote it. Without I/O and bounded: whatever another server sends, the result is safe to store and to show.
// https://www.w3.org/TR/activitystreams-vocabulary/ and the contract's activitypub.json

import {
  dateOf,
  hostIn,
  httpUrl,
  idOf,
  idsOf,
  isIndexable,
  isRecord,
  isTrue,
  linkOf,
  listOf,
  sameHost,
  textOf,
  totalOf,
  typesOf,
} from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { STATUS_LIMITS } from "../../../platform/remote-limits.ts";
import { bytesOf, firstWithin } from "../../../platform/text/cut.ts";
import { storedText } from "../../../platform/text/plain.ts";
import { displayTag, isTagName } from "../../../platform/text/tags.ts";
import { bitsOf, parseRule } from "../../people/accounts/policies.ts";
import type { Author } from "../../people/accounts/policies.ts";
import type { EmojiRow } from "../../base/emojis/tables.ts";
import { emojisOf } from "../../base/emojis/parse.ts";
import type { NewRemoteMedia } from "../../base/media/tables.ts";
import { parseEvent } from "../events/parse-event.ts";
import type { NewEvent } from "../events/tables.ts";
import { parseQuestion } from "../polls/parse-question.ts";
import type { NewPoll } from "../polls/tables.ts";
import { INTERACTION_BITS, SAID, replyBits } from "./rules.ts";
import type { Interaction } from "./rules.ts";
import {
  attachmentsOf,
  contentOf,
  isConverted,
  isNative,
  languageOf,
  warningOf,
  withQuoteMarked,
} from "./parse-note-content.ts";
import type { Visibility } from "./visibility.ts";
import { isDirect, openTo, remoteVisibilityFacts } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

export type ParsedQuote = {
  uri: string;
  /** Whether the quote is stated by one of the members that older servers write. */
  legacy: boolean;
  approvalUri: string | null;
};

const MAX_NAMED = 100;
const LEGACY = ["quoteUri", "quoteUrl", "_misskey_quote"];

const QUOTE_RELATION = "https://misskey-hub.net/ns#_misskey_quote";
const MAX_TAGS = 1000;

/** Reads a Link among the tags (FEP-e232; Hubzilla, Mitra). */
const objectLink = (note: Json): string | null => {
  const links = listOf(note["tag"], MAX_TAGS).filter(
    (item) => isRecord(item) && listOf(item["rel"], MAX_NAMED).includes(QUOTE_RELATION),
  ) as Json[];
  return httpUrl(links[0]?.["href"]);
};

/** Returns null when nothing is quoted. */
const parseQuote = (note: Json): ParsedQuote | null => {
  const approvalUri = httpUrl(idOf(note["quoteAuthorization"]));
  const own = httpUrl(idOf(note["quote"]));
  const older =
    LEGACY.map((name) => httpUrl(note[name])).find((uri) => uri !== null) ?? objectLink(note);
  const uri = own ?? older;
  if (!uri || uri === note["id"]) return null;
  return { uri, legacy: own === null, approvalUri };
};

const MEMBERS: Record<Interaction, string> = {
  reply: "canReply",
  like: "canLike",
  announce: "canAnnounce",
};

/** Each member with its former name; servers that write the former name cannot be asked. */
const AUTOMATIC = ["automaticApproval", "always"] as const;
const MANUAL = ["manualApproval", "approvalRequired"] as const;

const bitsFor = (rule: unknown, author: Author, interaction: Interaction): number => {
  if (!isRecord(rule) || ![...AUTOMATIC, ...MANUAL].some((name) => name in rule)) return 0;
  const groups = (names: readonly string[]): number =>
    names.reduce((bits, name) => bits | bitsOf(rule[name], author), 0);
  const { automatic, manual, requested } = INTERACTION_BITS[interaction];
  const canBeAsked = AUTOMATIC[0] in rule || MANUAL[0] in rule;
  return (
    ((groups(AUTOMATIC) | SAID) << automatic) |
    (groups(MANUAL) << manual) |
    (Number(canBeAsked) << requested)
  );
};

/**
 * Returns bits; 0 where nothing is stated, and everybody who sees it may. PeerTube, Lemmy, PieFed and Mobilizon close
 * the comments.
 */
const parseInteractions = (note: Json, author: Author): number => {
  const policy = note["interactionPolicy"];
  if (!isRecord(policy)) return note["commentsEnabled"] === false ? replyBits("nobody") : 0;
  return Object.entries(MEMBERS).reduce(
    (bits, [name, member]) => bits | bitsFor(policy[member], author, name as Interaction),
    0,
  );
};

/** Returns who may quote it, as bits (accounts/policies.ts); nobody where nothing is stated. */
const parsePolicy = (note: Json, author: Author, status: VisibilityFacts): number => {
  const policy = note["interactionPolicy"];
  if (!isRecord(policy) || !openTo("world", status)) return 0;
  return parseRule(policy["canQuote"], author) ?? 0;
};

const MAX_READ = 1000;

/** Some servers write types that are in no base context with a prefix (Owncast: toot:Hashtag). */
const ofType = (items: unknown[], type: string): Json[] =>
  items
    .filter(isRecord)
    .filter((item) => typesOf(item).some((name) => name === type || name.endsWith(`:${type}`)));

const hashtagOf = (item: Json): string[] => {
  const name = displayTag((textOf(item["name"]) ?? "").slice(0, 1000).replace(/^#/, ""));
  return isTagName(name) ? [name] : [];
};

type NoteTags = { mentionUris: string[]; hashtags: string[]; emojis: EmojiRow[] };

const tagsOf = (tag: unknown): NoteTags => {
  const items = listOf(tag, MAX_READ);
  const mentions = ofType(items, "Mention").flatMap((item) => httpUrl(item["href"]) ?? []);
  const hashtags = ofType(items, "Hashtag").flatMap(hashtagOf);
  const names = [...new Set(hashtags)].slice(0, STATUS_LIMITS.hashtags);
  return {
    mentionUris: [...new Set(mentions)].slice(0, STATUS_LIMITS.mentions),
    hashtags: firstWithin(names, STATUS_LIMITS.hashtagsBytes, bytesOf),
    emojis: emojisOf(items),
  };
};

export type NoteContext = {
  /** The author's URI, which must be among `attributedTo`. */
  actorUri: string;
  followersUrl: string | null;
  /** Domain of the author's handle, which WebFinger confirmed; its pages are the author's too. */
  domain: string | null;
  now: Date;
};

export type ParsedNote = {
  uri: string;
  url: string;
  content: string;
  spoilerText: string;
  visibility: Visibility;
  sensitive: boolean;
  /** Whether the note or its files are marked as sensitive, in addition to a warning. */
  isSaidSensitive: boolean;
  language: string | null;
  inReplyToUri: string | null;
  conversationUri: string | null;
  /** URI of the conversation's collection (FEP-7888). */
  contextUri: string | null;
  /** URIs of actors named in a Mention tag. */
  mentionUris: string[];
  /** URIs of actors addressed without a Mention tag. */
  silentUris: string[];
  /** Tags as written, without #. */
  tags: string[];
  emojis: EmojiRow[];
  media: NewRemoteMedia[];
  poll: NewPoll | null;
  event: NewEvent | null;
  quote: ParsedQuote | null;
  /** Who may quote it, as bits (accounts/policies.ts). */
  quotePolicy: number;
  /** Who may reply to, favourite and boost it, as bits (rules.ts). */
  interactionPolicy: number;
  /** URI of the proof that the author of its target allowed it: replyAuthorization (GoToSocial). */
  approvalUri: string | null;
  /** Published time when it is in the past, else null for now. */
  createdAt: Date | null;
  updatedAt: Date | null;
  /** When its server deletes it; null where that is not stated. */
  expiresAt: Date | null;
  /** Counts that its server states; null where it states none. */
  counts: RemoteCounts;
};

const PUBLIC = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);
const EARLIEST = Date.UTC(1990, 0);

/** Returns whether an object is one that becomes a status. */
export const isNoteType = (value: unknown): boolean => isNative(value) || isConverted(value);

/** Recognises a vote: a Note with a name and no content, in reply to a Question. */
export const isVote = (note: Json): boolean =>
  typesOf(note).includes("Note") &&
  textOf(note["name"]) !== null &&
  (note["content"] ?? null) === null &&
  note["contentMap"] === undefined &&
  idOf(note["inReplyTo"]) !== null;

/** Returns the authors that an object names. */
export const authorUris = (note: Json): string[] =>
  idsOf(note["attributedTo"] ?? note["actor"], STATUS_LIMITS.addressed);

/**
 * Returns public for Public in `to`, unlisted for Public in `cc`, private for the author's followers, else direct.
 * People who are addressed without a mention see a direct status too.
 */
export const addressedVisibility = (
  to: string[],
  cc: string[],
  followersUrl: string | null,
): Visibility => {
  if (to.some((uri) => PUBLIC.has(uri))) return "public";
  if (cc.some((uri) => PUBLIC.has(uri))) return "unlisted";
  return followersUrl && [...to, ...cc].includes(followersUrl) ? "private" : "direct";
};

/** Recognises a circle, which kmyblue and this server mark among posts for named people. */
const visibilityOf = (note: Json, { followersUrl }: NoteContext): Visibility => {
  const visibility = addressedVisibility(
    idsOf(note["to"], STATUS_LIMITS.addressed),
    idsOf(note["cc"], STATUS_LIMITS.addressed),
    followersUrl,
  );
  const isLimited = isDirect(remoteVisibilityFacts(visibility)) && textOf(note["limitedScope"]);
  return isLimited ? "circle" : visibility;
};

const addressed = (note: Json): string[] =>
  [
    ...idsOf(note["to"], STATUS_LIMITS.addressed),
    ...idsOf(note["cc"], STATUS_LIMITS.addressed),
  ].filter((uri) => !PUBLIC.has(uri) && httpUrl(uri) !== null);

/** Takes everybody who is addressed as mentioned where the text mentions nobody (Misskey, Lemmy, chats of Pleroma). */
const audienceOf = (
  note: Json,
  mentionUris: string[],
  visibility: Visibility,
  { actorUri, followersUrl }: NoteContext,
): Pick<ParsedNote, "mentionUris" | "silentUris"> => {
  const named = new Set([...mentionUris, actorUri, followersUrl]);
  const isForNamed = isDirect(remoteVisibilityFacts(visibility));
  const others = [...new Set(addressed(note))].filter((address) => !named.has(address));
  return isForNamed && mentionUris.length === 0
    ? { mentionUris: others.slice(0, STATUS_LIMITS.mentions), silentUris: [] }
    : { mentionUris, silentUris: others };
};

/** The pages of Threads are on www. */
const isOn = (url: string, domain: string | null): boolean =>
  [domain, `www.${domain}`].includes(hostIn(url));

const pageOf = (note: Json, uri: string, { domain }: NoteContext): string => {
  const url = linkOf(note["url"], "text/html");
  const isOwn = url !== null && (sameHost(url, uri) || isOn(url, domain));
  return isOwn ? url : uri;
};

export type RemoteCounts = {
  favourites: number | null;
  reblogs: number | null;
  replies: number | null;
};

/** Returns counts that the note contains, and not only an address for them. */
export const countsIn = ({ likes, shares, replies }: Json): RemoteCounts => ({
  favourites: totalOf(likes),
  reblogs: totalOf(shares),
  replies: totalOf(replies),
});

const publishedOf = (note: Json, now: Date): Date | null => {
  const date = dateOf(note["published"]);
  if (!date || date >= now || date.getTime() < EARLIEST) return null;
  return date;
};

/** Takes a time in the future as now. */
const editedOf = (note: Json, now: Date): Date | null => {
  const date = dateOf(note["updated"]);
  if (!date || date.getTime() < EARLIEST) return null;
  return date < now ? date : now;
};

const conversationOf = (note: Json): string | null => {
  const uri = textOf(note["conversation"]) ?? idOf(note["context"]);
  return uri !== null && uri !== "" && isIndexable(uri) ? uri : null;
};

/** Returns whether it has neither a text besides its own address nor anything else to show. */
const isEmpty = ({ content, spoilerText, media, poll, event, quote, url }: ParsedNote): boolean =>
  spoilerText === "" &&
  media.length === 0 &&
  !(poll ?? event ?? quote) &&
  ["", url].includes(storedText(content));

/** Works as parseNote, but accepts an empty note: in an archive its files are stored beside it. */
export const parseArchivedNote = (note: Json, context: NoteContext): ParsedNote | null => {
  const uri = httpUrl(note["id"]);
  if (!uri || !isNoteType(note) || isVote(note)) return null;
  if (!sameHost(uri, context.actorUri) || !authorUris(note).includes(context.actorUri)) return null;
  const { hashtags, emojis, ...named } = tagsOf(note["tag"]);
  const spoilerText = warningOf(note);
  const { media, sensitive } = attachmentsOf(note, isConverted(note));
  const isSaidSensitive = isTrue(note["sensitive"]) || sensitive;
  const url = pageOf(note, uri, context);
  const quote = parseQuote(note);
  const content = contentOf(note, url);
  const visibility = visibilityOf(note, context);
  const { mentionUris, silentUris } = audienceOf(note, named.mentionUris, visibility, context);
  return {
    uri,
    url,
    content: quote ? withQuoteMarked(content) : content,
    spoilerText,
    visibility,
    sensitive: isSaidSensitive || (spoilerText !== "" && note["sensitive"] !== false),
    isSaidSensitive,
    language: languageOf(note),
    inReplyToUri: httpUrl(idOf(note["inReplyTo"])),
    conversationUri: conversationOf(note),
    contextUri: httpUrl(idOf(note["context"])),
    mentionUris,
    silentUris,
    tags: hashtags,
    emojis,
    media,
    poll: parseQuestion(note, context.now),
    event: parseEvent(note),
    quote,
    quotePolicy: parsePolicy(note, context, remoteVisibilityFacts(visibility)),
    interactionPolicy: parseInteractions(note, context),
    approvalUri: httpUrl(idOf(note["replyAuthorization"])),
    createdAt: publishedOf(note, context.now),
    updatedAt: editedOf(note, context.now),
    expiresAt: dateOf(note["expires"]),
    counts: countsIn(note),
  };
};

/**
 * Returns null when the object's type is none that becomes a status, or when it has no usable id, is on another host
 * than its author, names somebody else as its author, or is empty.
 */
export const parseNote = (note: Json, context: NoteContext): ParsedNote | null => {
  const parsed = parseArchivedNote(note, context);
  return parsed && !isEmpty(parsed) ? parsed : null;
};
