// Compares the responses of the other server's API with those of this one after the move, field by field. Every
// difference that is allowed is a row of one table, with its reason.

import { ConfigError } from "./uses.ts";

/** An answer to a GET. */
export type Answer = { status: number; body: unknown };

type Difference = {
  /** Path of the answer, and of the member in it (`[]` is any item of a list). */
  at?: RegExp;
  member: RegExp;
  reason: string;
  /** Whether this is the only difference between the values. */
  only?: (before: unknown, now: unknown) => boolean;
};

/**
 * Removes from HTML what only its writer chose: the order of attributes, empty ones, and a link's relation to its page.
 */
const plainHtml = (value: unknown): string =>
  String(value).replace(/<(\w+)((?:\s[^<>]*)?)>/g, (_, tag: string, attributes: string) => {
    const kept = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)]
      .filter(([, name, text]) => name !== "rel" && text !== "")
      .map(([whole]) => whole);
    return `<${[tag, ...kept.sort()].join(" ")}>`;
  });

const sameHtml = (before: unknown, now: unknown) => plainHtml(before) === plainHtml(now);

const sameText = (before: unknown, now: unknown) =>
  String(before) === String(now).replace(/<[^<>]*>/g, "");

const sameTime = (before: unknown, now: unknown) =>
  Math.abs(Date.parse(String(before)) - Date.parse(String(now))) < 1000;

const isPicture = (before: unknown, now: unknown) =>
  String(before).includes("missing.png") === String(now).includes("missing.png");

const isAddress = (value: unknown) => /^https?:/.test(String(value));

const EXPLAINED: Difference[] = [
  {
    member: /\.(?:avatar|header)(?:_static)?$/,
    reason: "pictures have new addresses; the old ones are redirected",
    only: isPicture,
  },
  {
    member: /media_attachments\[\]\.(?:preview_)?url$|\.card\.image$/,
    reason: "files have new addresses; the old ones are redirected",
    only: (before, now) => isAddress(before) && isAddress(now),
  },
  {
    member: /(?:^|\.)emojis\[\]\.(?:static_)?url$/,
    reason: "files have new addresses; the old ones are redirected",
    only: (before, now) => isAddress(before) && isAddress(now),
  },
  {
    at: /notifications/,
    member: /\.group_key$/,
    reason: "groups of notifications are named by each software in its own way",
    only: (before, now) => typeof before === "string" && typeof now === "string",
  },
  {
    member: /\.poll\.expired$/,
    reason: "it has ended since the other server answered",
    only: (before, now) => before === false && now === true,
  },
  {
    at: /scheduled_statuses/,
    member: /\.params\.visibility$/,
    reason: "a scheduled post says its author's visibility where none was chosen",
    only: (before) => before === null,
  },
  {
    member: /\.(?:note|value)$/,
    reason: "HTML of other servers is cleaned in another way",
    only: sameHtml,
  },
  {
    member: /fields\[\]\.value$/,
    reason: "a link in a profile was shown as text where it leads to an account that is known",
    only: sameText,
  },
  { member: /(?:verified_at|updated_at)$/, reason: "times are written alike", only: sameTime },
  {
    member: /\.role\.permissions$/,
    reason: "newer versions have more permissions; those of everybody are not repeated in a role",
  },
  {
    member: /\.locale$/,
    reason: "who chose no language has that of the server",
    only: (before) => before === null,
  },
  {
    member: /\.discoverable$/,
    reason: "a suspended account says nothing of itself",
    only: (before, now) => before === false && now === null,
  },
  {
    at: /timelines\/(?:home|list)/,
    member: /^\[\]#$/,
    reason: "there, feeds still had posts of people who were followed or listed once",
  },
  {
    at: /timelines\/home|\/statuses\?limit/,
    member: /^\[\]\.reblogged$/,
    reason: "one's own boost says so itself, too",
    only: (before, now) => before === false && now === true,
  },
  {
    at: /suggestions/,
    member: /^\[\]#$/,
    reason: "there, suggestions were counted at night",
    only: (before) => String(before) === "",
  },
  {
    at: /notifications/,
    member: /^\[\]#$/,
    reason: "what somebody may not see any more is not named",
  },
  {
    at: /notifications/,
    member: /\.event\.(?:id|created_at)$/,
    reason: "an event is one for all whom it was about",
  },
  { at: /\/api\/v2\/instance/, member: /./, reason: "another software describes itself" },
  {
    at: /nodeinfo/,
    member: /\.(?:software|usage|metadata)\./,
    reason: "another software, whose figures are not of yesterday",
  },
  {
    at: /extended_description/,
    member: /\.content$/,
    reason: "Markdown stays as it was written",
    only: (_before, now) => String(now).includes("**2017**"),
  },
  {
    at: /instance\/domain_blocks/,
    member: /^$/,
    reason: "there, an empty answer; here, an empty object",
    only: (before) => before === "",
  },
  {
    at: /push\/subscription/,
    member: /\.(?:id|server_key)$/,
    reason: "the same, as text and without padding",
    only: (before, now) => String(before).replace(/=+$/, "") === String(now),
  },
  {
    at: /followed_tags/,
    member: /history/,
    reason: "the history of a tag is counted again from its posts",
  },
  {
    at: /email_domain_blocks/,
    member: /history/,
    reason: "tries to sign up are counted from now on",
  },
];

export type Fault = { path: string; member: string; before: unknown; now: unknown };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const idOf = (value: unknown): unknown => (isRecord(value) ? value["id"] : undefined);

function* differences(
  before: unknown,
  now: unknown,
  member: string,
): Generator<{ member: string; before: unknown; now: unknown }> {
  if (Array.isArray(before) && Array.isArray(now)) {
    const [were, are] = [before.map(idOf), now.map(idOf)];
    if (were.every((id) => id !== undefined) && String(were) !== String(are))
      yield { member: `${member}[]#`, before: were, now: are };
    else if (before.length !== now.length) yield { member: `${member}[]#`, before, now };
    for (const [n, item] of before.entries()) {
      const id = idOf(item);
      const same = id === undefined ? now[n] : now.find((other) => idOf(other) === id);
      if (same !== undefined) yield* differences(item, same, `${member}[]`);
    }
  } else if (isRecord(before) && isRecord(now)) {
    for (const [name, value] of Object.entries(before))
      yield* differences(value, now[name], `${member}.${name}`);
  } else if (before !== now) yield { member, before, now };
}

const isExplained = (path: string, { member, before, now }: Omit<Fault, "path">): boolean =>
  EXPLAINED.some(
    (row) =>
      (row.at?.test(path) ?? true) && row.member.test(member) && (row.only?.(before, now) ?? true),
  );

/** Returns the differences without a reason. */
export const compareAnswers = (path: string, before: Answer, now: Answer): Fault[] => {
  const all =
    before.status === now.status
      ? [...differences(before.body, now.body, "")]
      : [{ member: "#status", before: before.status, now: now.status }];
  return all.flatMap((fault) => (isExplained(path, fault) ? [] : { path, ...fault }));
};

/** Requests a path, which begins with a slash, from one of the servers. */
export type Ask = (path: string, token: string) => Promise<Answer>;

/** Paths of what people read of themselves; `:own` stands for the id of their account. */
const OWN_PATHS = [
  "/api/v1/preferences",
  "/api/v1/timelines/home?limit=40",
  "/api/v1/notifications?limit=80",
  "/api/v1/favourites?limit=40",
  "/api/v1/bookmarks?limit=40",
  "/api/v1/blocks",
  "/api/v1/mutes",
  "/api/v1/domain_blocks",
  "/api/v1/follow_requests",
  "/api/v1/lists",
  "/api/v2/filters",
  "/api/v1/conversations?limit=40",
  "/api/v1/followed_tags",
  "/api/v1/markers?timeline[]=home&timeline[]=notifications",
  "/api/v1/scheduled_statuses",
  "/api/v2/notifications/policy",
  "/api/v1/accounts/:own",
  "/api/v1/accounts/:own/statuses?limit=40",
  "/api/v1/accounts/:own/statuses?pinned=true",
  "/api/v1/accounts/:own/followers?limit=80",
  "/api/v1/accounts/:own/following?limit=80",
];

const VERIFY = "/api/v1/accounts/verify_credentials";
const THREADS = 20;

const idsIn = ({ body }: Answer): string[] =>
  Array.isArray(body) ? body.slice(0, THREADS).map((status) => String(idOf(status))) : [];

/** Compares what the person with this token reads on both; throws ConfigError where one does not accept the token. */
export const compareFor = async (
  token: string,
  [there, here]: [Ask, Ask],
): Promise<{ faults: Fault[]; compared: number }> => {
  const faults: Fault[] = [];
  let compared = 0;
  const both = async (path: string): Promise<Answer> => {
    const [before, now] = await Promise.all([there(path, token), here(path, token)]);
    faults.push(...compareAnswers(path, before, now));
    compared += 1;
    return before;
  };
  const own = await both(VERIFY);
  if (own.status !== 200)
    throw new ConfigError(`The other server answers ${own.status} to a --token.`);
  const id = String(idOf(own.body));
  for (const path of OWN_PATHS) {
    const answer = await both(path.replace(":own", id));
    if (!path.endsWith("/statuses?limit=40")) continue;
    for (const statusId of idsIn(answer)) await both(`/api/v1/statuses/${statusId}/context`);
  }
  return { faults, compared };
};
