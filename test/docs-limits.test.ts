// The figures of docs/LIMITS.md are those of the code: each row here is written with the constants that bound it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ARCHIVE_DAYS } from "../src/domain/about/transfers/archive/request.ts";
import { MAX_LINES } from "../src/domain/about/transfers/formats.ts";
import {
  ARCHIVE_LIMITS,
  ARCHIVE_UPLOAD,
  CIRCLE_PEOPLE,
  FETCHED_FILES,
  ITEM_BYTES,
  POSTS,
  WAITING,
} from "../src/domain/about/transfers/posts/limits.ts";
import { AT_ONCE, OWN_EMOJI_LIMITS, PACK_LIMITS } from "../src/domain/base/emojis/limits.ts";
import * as media from "../src/domain/base/media/limits.ts";
import { DELETE_AFTER_DAYS } from "../src/domain/people/accounts/standing.ts";
import { COOL_DOWN_DAYS } from "../src/domain/people/accounts/move.ts";
import {
  MAX_COLLECTIONS,
  MAX_ITEMS,
  MAX_REMOTE_COLLECTIONS,
  MAX_REMOTE_ITEMS,
} from "../src/domain/people/collections/rules.ts";
import { MAX_LISTS } from "../src/domain/people/lists/write.ts";
import { MAX_LENGTH as MAX_NOTE } from "../src/domain/people/relationships/note.ts";
import { CODE_GUESSES, PASSWORD_GUESSES } from "../src/domain/people/users/guesses.ts";
import { MAX_IDENTITIES } from "../src/domain/people/users/identities/link.ts";
import { MAX_ACCOUNTS } from "../src/domain/people/users/pages/cookies.ts";
import { CARD_LIMITS, PAGE_LIMITS, PICTURE_LIMITS } from "../src/domain/posts/cards/limits.ts";
import { MAX_DRAFTS, MAX_LENGTH as MAX_DRAFT } from "../src/domain/posts/drafts/save.ts";
import { MAX_PINS } from "../src/domain/posts/statuses/acts.ts";
import { MAX_PEOPLE } from "../src/domain/posts/statuses/circle.ts";
import { KEPT_EDITS } from "../src/domain/posts/statuses/queries-edit.ts";
import { MAX_STATUSES } from "../src/domain/posts/statuses/schema.ts";
import { MAX_FEATURED_TAGS } from "../src/domain/posts/tags/rules.ts";
import * as groups from "../src/domain/reading/groups/limits.ts";
import { MAX_COMMENT } from "../src/domain/reading/reports/file.ts";
import { LIMITS as STREAMS } from "../src/domain/reading/streaming/hub.ts";
import { MAX_MESSAGE } from "../src/domain/reading/streaming/socket.ts";
import { APPEAL_DAYS, MAX_APPEAL } from "../src/domain/reading/strikes/appeals.ts";
import { MAX_ORDERED } from "../src/domain/staff/moderation/queries-accounts.ts";
import { IN_FLIGHT } from "../src/federation/inbox/in-flight.ts";
import { FETCH_BUDGETS } from "../src/platform/fetch/budget.ts";
import { BODY_LIMIT, FILE_LIMIT } from "../src/platform/http/body.ts";
import { BODY_ROOM } from "../src/platform/http/overload.ts";
import { CONNECTION_LIMITS } from "../src/platform/http/connections.ts";
import { REFUSED_FROM_MS } from "../src/platform/http/overload.ts";
import { VISITOR_LINE } from "../src/platform/http/visitor-line.ts";
import * as remote from "../src/platform/remote-limits.ts";
import { API_LIMITS, INBOX_RATES } from "../src/rate-limits.ts";
import { REFUSED_SOCKETS } from "../src/roles/streaming.ts";

const PAGE = readFileSync(new URL("../docs/LIMITS.md", import.meta.url), "utf8");

const n = (count: number): string => count.toLocaleString("en");
const kib = (bytes: number): string => `${n(bytes / 1024)} KiB`;
const mib = (bytes: number): string => `${n(bytes / 1024 / 1024)} MiB`;
const gib = (bytes: number): string => `${n(bytes / 1024 ** 3)} GiB`;
const seconds = (ms: number): string => `${ms / 1000} s`;
const minutes = (ms: number): string => `${ms / 60_000} min`;
const megapixels = (pixels: number): string => `${Number((pixels / 1e6).toFixed(1))} megapixels`;

const { requestMs, uploadMs, keepAliveMs, silentMs, waiting } = CONNECTION_LIMITS;
const { token, account, address, pages, others } = API_LIMITS;
const { media: uploads, delete: deletions, statuses: posts, follows, reports } = API_LIMITS.routes;
const { STATUS_LIMITS: status, ACTOR_LIMITS: actor, EMOJI_LIMITS: emoji } = remote;
const { visitor, inbox, read, write } = REFUSED_FROM_MS;
/** The rate of a bucket, as the table of fetches writes it. */
const rate = (...causes: (keyof typeof FETCH_BUDGETS)[]): string => {
  const rates = new Set(
    causes.map((cause) => `${FETCH_BUDGETS[cause].burst}, ${FETCH_BUDGETS[cause].perMinute}`),
  );
  assert.equal(rates.size, 1, causes.join(", "));
  return `${[...rates][0]}${causes.length > 1 ? " each" : ""}`;
};

const ROWS: [what: string, limit: string][] = [
  ["requests in progress on a connection", `1, and ${waiting} that wait; then it is closed`],
  [
    "connection on which nothing is read or sent",
    `closed after ${seconds(silentMs)}; kept without a request for ${seconds(keepAliveMs)}`,
  ],
  [
    "receiving a request",
    `${seconds(requestMs)}, ${minutes(uploadMs)} for files; 1 KiB a second on average from the twentieth second on; then 408`,
  ],
  ["body, or all fields of a form", mib(BODY_LIMIT)],
  [
    "body with files",
    `${mib(FILE_LIMIT)} a file and ${mib(BODY_LIMIT)}; ${mib(media.VIDEO_BYTES + FILE_LIMIT + BODY_LIMIT)} for an upload (${mib(media.VIDEO_BYTES)} of video)`,
  ],
  [
    "bodies in progress (not uploads to disk)",
    `${mib(BODY_ROOM.total)}, ${mib(BODY_ROOM.perAddress)} of one address; ${mib(BODY_ROOM.largeTotal)} of bodies above ${kib(BODY_ROOM.large)}`,
  ],
  [
    "requests to the API *",
    `${n(token.count)} of a token, ${n(account.count)} of an account, ${n(address.count)} of an address in ${token.seconds / 60} min`,
  ],
  [
    "pages and documents *",
    `${others.burst} of an address at once, then ${others.perMinute / 60} a second`,
  ],
  [
    "activities at the inbox *",
    `${n(INBOX_RATES.host.burst)} at once, then ${INBOX_RATES.host.perMinute / 60} a second: of an address, and of the host that signed`,
  ],
  [
    "sockets asked for without a good token *",
    `${REFUSED_SOCKETS.burst} of an address at once, then ${REFUSED_SOCKETS.perMinute / 60} a second`,
  ],
  [
    "further pages; posts; follows",
    `${pages.count} in ${pages.seconds / 60} min; ${posts.count} in ${posts.seconds / 3600} h; ${follows.count} a day`,
  ],
  [
    "deletions; uploads; reports",
    `${deletions.count} in ${deletions.seconds / 60} min; ${uploads.count} in ${uploads.seconds / 60} min; ${reports.count} a day`,
  ],
  ["message of a WebSocket client", kib(MAX_MESSAGE)],
  ["unread by a stream's client", `${mib(STREAMS.maxBuffered)}, then it is closed`],
  ["streams of a person in a process; subscriptions of a stream", `${STREAMS.perPerson} each`],
  [
    "wrong passwords for an account (name and email together)",
    `${PASSWORD_GUESSES.person.count} an hour`,
  ],
  ["wrong codes for an account", `${CODE_GUESSES.person.count} an hour`],
  [
    "passwords, codes, passkeys from an address",
    `${PASSWORD_GUESSES.address.count} in ${CODE_GUESSES.address.seconds / 60} min each`,
  ],
  [
    "a browser that signed in to the account before",
    `${PASSWORD_GUESSES.knownBrowser.count} passwords and ${CODE_GUESSES.knownBrowser.count} codes an hour besides`,
  ],
  ["linked accounts", `${MAX_IDENTITIES} (\`MAX_IDENTITIES\`)`],
  ["accounts signed in in one browser", `${MAX_ACCOUNTS}; the one left longest ago is signed out`],
  ["accounts in another order than by age", `the newest ${n(MAX_ORDERED)} matches`],
  ["data of a suspended account", `${DELETE_AFTER_DAYS} days`],
  ["stored picture; preview", `${megapixels(media.STORED_PIXELS)}; 4 times 640 × 360`],
  ["moving picture without ffmpeg", `${media.MAX_FRAMES} frames, 50 megapixels together`],
  [
    "video, recording",
    `${mib(media.VIDEO_BYTES)}, ${megapixels(media.VIDEO_PIXELS)}, ${media.FRAME_RATE} frames a second`,
  ],
  [
    "conversions at a time",
    `one of up to ${seconds(media.CONVERSION_MS.short)}, and one longer; above ${media.CONVERSION_MS.expected / 60_000} expected minutes refused`,
  ],
  ["tries to process an upload", `${media.ATTEMPTS}`],
  [
    "attachments of a post; description",
    `${media.MAX_ATTACHED} pictures or 1 video; ${n(media.DESCRIPTION)} characters`,
  ],
  ["scheduled posts; posts of a thread", `300, 25 for a day; ${MAX_STATUSES}`],
  ["drafts", `${MAX_DRAFTS} of ${MAX_STATUSES} posts and ${n(MAX_DRAFT)} characters (JSON)`],
  ["people of a circle; lists", `${MAX_PEOPLE}; ${MAX_LISTS}`],
  ["pinned posts; featured hashtags", `${MAX_PINS}; ${MAX_FEATURED_TAGS}`],
  ["collections; entries", `${MAX_COLLECTIONS}; ${MAX_ITEMS}`],
  ["note about an account; comment of a report", `${n(MAX_NOTE)}; ${n(MAX_COMMENT)} characters`],
  [
    "groups owned, moderated; moderators; rules",
    `${groups.MAX_OWNED}, ${groups.MAX_MODERATED}; ${groups.MAX_MODERATORS}; ${groups.MAX_RULES} of ${groups.MAX_RULE_LENGTH} characters`,
  ],
  ["posts of a member that a group boosts or holds", `${groups.MAX_POSTS_PER_DAY} a day`],
  ["replies of a member announced to Lemmy's kind", `${groups.MAX_ANSWERS_PER_DAY} a day`],
  [
    "own emojis",
    `${n(OWN_EMOJI_LIMITS.count)} of ${kib(OWN_EMOJI_LIMITS.bytes)}, ${megapixels(OWN_EMOJI_LIMITS.pixels)}, ${OWN_EMOJI_LIMITS.frames} frames; shortcode ${OWN_EMOJI_LIMITS.shortcode.min} to ${OWN_EMOJI_LIMITS.shortcode.max}, category ${OWN_EMOJI_LIMITS.category} characters`,
  ],
  [
    "emojis of one request; of a pack by command",
    `${AT_ONCE.pack} pictures, 16 MB, or ${AT_ONCE.copied} of another server; ${n(PACK_LIMITS.files)} files, ${gib(PACK_LIMITS.bytes)}`,
  ],
  ["appeal", `${n(MAX_APPEAL)} characters, one for a decision, ${APPEAL_DAYS} days`],
  ["archive of one's posts", `one a week, kept for ${ARCHIVE_DAYS} days`],
  [
    "imported archive",
    `${gib(ARCHIVE_UPLOAD)}; unpacked ${gib(ARCHIVE_LIMITS.bytes)}, ${n(ARCHIVE_LIMITS.files)} files; ${n(POSTS)} posts of ${mib(ITEM_BYTES)}; ${WAITING} drafts, scheduled posts, pins each; ${n(CIRCLE_PEOPLE)} people of circles; ${n(FETCHED_FILES)} files fetched`,
  ],
  [
    "imported list",
    `4 MiB, ${n(MAX_LINES)} lines of 50 cells of 20,000 characters; 10 unfinished, 30 an hour; 4 tries of a line`,
  ],
  ["activity, document", `${mib(remote.MAX_DOCUMENT_BYTES)}, ${remote.MAX_JSON_DEPTH} levels`],
  ["address", `${n(remote.MAX_URL_BYTES)} bytes`],
  [
    "content warning; title, place of an event",
    `${kib(status.summaryBytes)}; ${status.titleLength} characters`,
  ],
  [
    "attachments",
    `${status.attachments}; ${kib(status.attachmentsBytes)} of descriptions and addresses; ${n(status.descriptionLength)} characters of one`,
  ],
  [
    "poll",
    `${status.pollOptions} options of ${status.pollOptionLength} characters, ${kib(status.pollBytes)}`,
  ],
  [
    "custom emojis of a post or actor",
    `${emoji.count}, ${kib(emoji.bytes)}, ${emoji.shortcode} characters of a name`,
  ],
  ["mentions", `${status.mentions}, ${kib(status.mentionsBytes)}; ${status.addressed} addressed`],
  ["user name", `${n(actor.usernameBytes)} bytes`],
  [
    "name; bio",
    `${n(actor.nameLength)} characters and ${kib(actor.nameBytes)}; ${kib(actor.noteBytes)}`,
  ],
  [
    "fields; aliases; author domains",
    `${actor.fields} of ${n(actor.fieldLength)} characters, ${kib(actor.fieldsBytes)}; ${actor.list} and ${kib(actor.listBytes)} each`,
  ],
  ["public key", kib(actor.keyBytes)],
  [
    "collections of an account; entries; name, description",
    `${MAX_REMOTE_COLLECTIONS}; ${MAX_REMOTE_ITEMS}; 256, 2,000 characters`,
  ],
  ["earlier versions of a post", `${KEPT_EDITS}: the first and the newest`],
  ["keys of unknown signers, WebFinger (given back when the signature fits)", rate("key")],
  [
    "authors of fetched posts; posts replied to, boosted, quoted, pinned; stored actors and posts that changed",
    rate("actor", "note", "refresh"),
  ],
  [
    "replies and posts that somebody wants to see; pages for one sending server; what people here ask for",
    rate("thread", "card for", "person"),
  ],
  ["a host's activities that are forwarded; pages that posts link to", rate("forward", "card")],
  ["pages that profiles link to", rate("link")],
  ["moves", `one in ${COOL_DOWN_DAYS} days; 10 aliases, 20 lookups in 30 min`],
  [
    "page",
    `${mib(PAGE_LIMITS.bytes)} in ${seconds(PAGE_LIMITS.timeoutMs)}, 3 redirects, ${n(PAGE_LIMITS.tags)} tags, ${kib(PAGE_LIMITS.jsonLd)} and ${PAGE_LIMITS.jsonLdItems} objects of JSON-LD; 5 tries`,
  ],
  ["oEmbed", `${kib(PAGE_LIMITS.oEmbedBytes)}; a player of ${n(CARD_LIMITS.side)} pixels a side`],
  [
    "title; description; names; description of the picture",
    `${CARD_LIMITS.title}; ${n(CARD_LIMITS.description)}; ${CARD_LIMITS.name}; ${n(CARD_LIMITS.imageDescription)} characters`,
  ],
  [
    "picture",
    `${mib(PICTURE_LIMITS.bytes)}, ${megapixels(PICTURE_LIMITS.pixels)}; stored ${megapixels(PICTURE_LIMITS.stored)}`,
  ],
  [
    "bodies of activities in progress",
    `${mib(IN_FLIGHT.total)}, ${IN_FLIGHT.perAddress / 1024 / 1024} of an address; ${IN_FLIGHT.largeTotal / 1024 / 1024} of bodies above ${kib(IN_FLIGHT.large)}`,
  ],
  [
    "visitors' reading requests at once",
    `${VISITOR_LINE.atOnce}; ${VISITOR_LINE.waiting} wait ${seconds(VISITOR_LINE.waitMs)}`,
  ],
  [
    "lateness from which the response is 503",
    `visitors ${seconds(visitor)}, inbox ${inbox / 1000}, reading ${read / 1000}, writing ${write / 1000}; never probes, figures, sign-in`,
  ],
];

test("LIMITS.md has the figures of the code", () => {
  const rows = PAGE.split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  for (const [what, limit] of ROWS) {
    const limits = rows.filter(([, name]) => name === what).map((cells) => cells[2]);
    assert.ok(limits.includes(limit), `${what}: ${limit}, and not ${limits.join(" or ")}`);
  }
});
