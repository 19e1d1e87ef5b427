// What the API answered on the Mastodon against what it answers after the move, field by field. Every difference that
// there may be is a row of one table, with its reason.

import type { TestApp } from "../harness.ts";
import { oldPeople, recordings } from "./old-server.ts";
import type { Recorded } from "./old-server.ts";

type Difference = {
  /** Of the answer, and of the member in it (`[]`: any of a list). */
  at?: RegExp;
  member: RegExp;
  reason: string;
  /** Whether the values differ only so. */
  only?: (before: unknown, now: unknown) => boolean;
};

/** HTML without what only its writer chose: the order of attributes, empty ones, what a link is to its page. */
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

const EXPLAINED: Difference[] = [
  {
    member: /\.(?:avatar|header)(?:_static)?$/,
    reason: "pictures have new addresses; the old ones are redirected",
    only: isPicture,
  },
  {
    member: /media_attachments\[\]\.(?:preview_)?url$|\.card\.image$/,
    reason: "files have new addresses; the old ones are redirected",
    only: (before, now) => String(before).includes("/system/") && String(now).includes("/media/"),
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

const compare = (path: string, recorded: Recorded, status: number, body: unknown): Fault[] => {
  const all =
    recorded.status === status
      ? [...differences(recorded.body, body, "")]
      : [{ member: "#status", before: recorded.status, now: status }];
  return all.flatMap((fault) => (isExplained(path, fault) ? [] : { path, ...fault }));
};

/** Who asked: who boosted it, or else who wrote it. Only authors are told whether they pinned it. */
const viewerOf = (answers: Record<string, Recorded>): string => {
  const { account, pinned, reblogged } = answers[""]!.body;
  const name =
    pinned === undefined && reblogged
      ? answers["/reblogged_by"]!.body[0].username
      : account.username;
  return name.replace("gadmin", "admin");
};

/** Asks everything again that was recorded. */
export const compareAnswers = async (server: TestApp) => {
  const people = oldPeople();
  const all = recordings();
  const faults: Fault[] = [];
  let compared = 0;
  const ask = async (path: string, recorded: Recorded, token: string | null) => {
    const { status, json } = await server.request("GET", path, { token });
    faults.push(...compare(path, recorded, status, json));
    compared += 1;
  };
  for (const [path, recorded] of Object.entries(all.open)) await ask(path, recorded, null);
  for (const [path, recorded] of Object.entries(all.staff))
    await ask(path, recorded, people["admin"]!.token);
  for (const [name, answers] of Object.entries(all.people)) {
    const { token } = people[name]!;
    const own = await server.request("GET", "/api/v1/accounts/verify_credentials", { token });
    for (const [path, recorded] of Object.entries(answers))
      await ask(path.replace(":own", own.json.id), recorded, token);
  }
  for (const [id, answers] of Object.entries(all.statuses)) {
    const token = people[viewerOf(answers)]!.token;
    for (const [rest, recorded] of Object.entries(answers))
      await ask(`/api/v1/statuses/${id}${rest}`, recorded, token);
  }
  return { faults, compared };
};
