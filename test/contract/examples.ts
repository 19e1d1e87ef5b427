// Records an example of each entity, and of each answer that is none, for the OpenAPI document. Tests with RECORD_ANSWERS
// write what was answered to that file; this program selects from it:
//
//     RECORD_ANSWERS=/tmp/answers node test/run.ts test/contract src/domain
//     node test/contract/examples.ts /tmp/answers

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

type Json = Record<string, unknown>;
type Answered = { method: string; path: string; sent?: unknown; status: number; json: unknown };
type Schema = { $ref?: string; items?: Schema; anyOf?: Schema[] };
type Operation = { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> };
type Examples = { entities: Json; operations: Json; requests: Json };

export const EXAMPLES = new URL(
  "../../src/domain/about/instance/openapi/examples.json",
  import.meta.url,
);

const RECORD = process.env["RECORD_ANSWERS"];

export const recordAnswer = (answered: Answered): void => {
  if (RECORD && answered.status < 300) appendFileSync(RECORD, `${JSON.stringify(answered)}\n`);
};

/** Longest example that people still read, in characters. */
const LONGEST = 5000;

const DAYS = { start_at: "2026-11-01T00:00:00Z", end_at: "2026-11-30T00:00:00Z" };
const NAMED = { display_name: "Alice", note: "Owls and moss." };

/** What tests only send with nonsense in places. */
const BY_HAND: Json = {
  "POST /api/v1/accounts/{id}/email_subscriptions": {
    email: "ada@there.example",
  },
  "POST /api/v1/accounts": {
    username: "alice",
    email: "alice@there.example",
    password: "…",
    agreement: true,
    locale: "en",
    reason: "I draw owls.",
  },
  "POST /api/v1/admin/canonical_email_blocks": {
    email: "somebody@there.example",
  },
  "POST /api/v1/admin/domain_allows": {
    domain: "friends.example",
  },
  "POST /api/v1/domain_blocks": {
    domain: "loud.example",
  },
  "DELETE /api/v1/domain_blocks": {
    domain: "loud.example",
  },
  "POST /api/v1/featured_tags": {
    name: "owls",
  },
  "POST /api/v1/filters": {
    phrase: "spoiler",
    context: ["home", "public"],
  },
  "PUT /api/v1/filters/{id}": {
    phrase: "spoiler",
    context: ["thread"],
    whole_word: false,
  },
  "PATCH /api/v1/filters/{id}": {
    phrase: "spoiler",
    context: ["thread"],
    whole_word: false,
  },
  "POST /api/v2/filters": {
    title: "The series",
    context: ["home", "public"],
    keywords_attributes: [
      {
        keyword: "spoiler",
        whole_word: true,
      },
    ],
  },
  "POST /api/v1/follows": {
    uri: "alice@friends.example",
    reblogs: true,
  },
  "POST /api/v1/groups": {
    name: "owls",
    display_name: "Owls",
  },
  "POST /api/v1/drafts": {
    statuses: [
      {
        status: "Owls are back",
      },
    ],
  },
  "POST /api/v1/statuses": {
    status: "We are open on Sunday",
    visibility: "unlisted",
  },
  "PUT /api/v1/statuses/{id}": {
    status: "We are open on Saturday",
  },
  "PATCH /api/v1/statuses/{id}": {
    status: "We are open on Saturday",
  },
  "PUT /api/v1/media/{id}": {
    description: "An owl on a branch",
    focus: "0,0.5",
  },
  "PATCH /api/v1/media/{id}": {
    description: "An owl on a branch",
    focus: "0,0.5",
  },
  "POST /api/v1/saved_searches": {
    q: "moss from:me",
  },
  "POST /api/v1/statuses/preview": {
    status: "*Owls* are back",
    content_type: "text/markdown",
  },
  "POST /oauth/token": {
    grant_type: "authorization_code",
    client_id: "CLIENT_ID",
    client_secret: "CLIENT_SECRET",
    redirect_uri: "https://app.example/callback",
    code: "CODE",
    code_verifier: "VERIFIER",
  },
  "PATCH /api/v1/accounts/update_credentials": NAMED,
  "PUT /api/v1/accounts/update_credentials": NAMED,
  "PATCH /api/v1/profile": NAMED,
  "PUT /api/v1/profile": NAMED,
  "POST /api/v1/admin/dimensions": { keys: ["languages"], ...DAYS },
  "POST /api/v1/admin/retention": { frequency: "month", ...DAYS },
};

/** Likewise of what is sent. */
const LONGEST_REQUEST = 300;

const SECRET = /token|secret|password|^(?:auth|p256dh|vapid_key|public_key|signature)$/;

/** What the tests call people and things, and what reads like a document's instead. */
const NAMES: readonly [RegExp, string][] = [
  [/\bg\d+_me_fan\d*[05]\b/g, "emil"],
  [/\bg\d+_me_fan\d+/g, "dora"],
  [/\bg\d+_(?:stranger|me_[a-z]+\d+)\b/g, "cleo"],
  [/\bg\d+_friend\b/g, "ben"],
  [/\bg\d+_me\b/g, "ada"],
  [/^Contract$/, "Ada"],
  [/\bCalls every row\b/g, "Owls and moss."],
  [/^(?:Collection \d+|Renamed|warning \d+)$/, "Birds"],
  [/^List \d+$/, "Friends"],
  [/^Filter \d+$/, "Spoilers"],
  [/\b(?:post|quotable |liked by all |later |text )\d+\b/g, "The first cuckoo of the year!"],
  [/\bNews for \d+/g, "News for"],
  [/\b(?:admintag|shown|follow|bird|word|admintrend|trend)\d+\b/g, "owls"],
  [/\bgroup\d+\b/g, "ferns"],
  [/\b[a-z]+\d+\.(allowed|blocked|mail)\.example\b/g, "$1.example"],
  [/\bbad\d+\.example\b/g, "bad.example"],
  [/\bFree coins for you at\b/g, "Photographs of owls at"],
  [/\bcoins for\b/g, "Good morning,"],
  [/\bcoins\b/g, "owls"],
  [/(?<=<\/span> )(?:one|both|psst)(?=<\/p>)/g, "good morning!"],
  [/(?<=<\/span> )two(?=<\/p>)/g, "and to you!"],
  [/\bquoting \d+/g, "Listen to it!"],
  [/\bplease look\b/g, "Advertises in every reply."],
  [/\bpeople to read\b/g, "People who write about birds."],
];

/** What stands where tests send a letter or nonsense. */
const MEMBERS: Record<string, Record<string, string>> = {
  title: { a: "Tea", b: "Coffee", "/a": "Blocked servers" },
  name: { X: "Moss", "<b>sale": "sales" },
  comment: { "1.5": "Advertises" },
  public_comment: { "😀": "Advertises" },
  avatar_description: { "[]": "An owl" },
  header_description: { "😀": "A branch" },
};

/** Takes the test's addresses and secrets out, and all but the first two members of lists. */
const cleaned = (value: unknown, key = ""): unknown => {
  if (Array.isArray(value)) return value.slice(0, 2).map((each) => cleaned(each));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, cleaned(each, name)]),
    );
  if (typeof value !== "string") return value;
  if (SECRET.test(key) && value.length > 15 && !value.startsWith("http")) return "…";
  return NAMES.reduce(
    (text, [test, name]) => text.replace(test, name),
    MEMBERS[key]?.[value] ?? value,
  )
    .replaceAll(
      /(https?|wss?):\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g,
      (_, scheme: string) => `${scheme.replace(/s?$/, "s")}://social.example`,
    )
    .replaceAll(/(?:127\.0\.0\.1|localhost):\d+/g, "social.example");
};

const isBoost = (value: unknown): boolean => !!(value as { reblog?: unknown } | null)?.reblog;

/** The more members have a value, the more an example says; a boost says little of what a post is. */
const saying = (value: unknown): number => {
  if (isBoost(value)) return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + saying(each), 0);
  if (typeof value === "object" && value !== null)
    return Object.values(value).reduce((sum: number, each) => sum + 1 + saying(each), 0);
  return value === null || value === "" || value === false ? 0 : 1;
};

const isBetter = (value: unknown, than: unknown): boolean =>
  JSON.stringify(value).length <= LONGEST && (than === undefined || saying(value) > saying(than));

const entityOf = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1);

const selectExamples = (lines: readonly string[]): Examples => {
  const answers = lines.map((line) => JSON.parse(line) as Answered);
  const document = answers.findLast(({ path }) => path === "/api/openapi.json")!.json as {
    paths: Record<string, Record<string, Operation>>;
  };
  const patterns = Object.keys(document.paths)
    .toSorted((a, b) => a.split("{").length - b.split("{").length)
    .map(
      (path) =>
        [
          path,
          new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
        ] as const,
    );
  const examples: Examples = { entities: {}, operations: {}, requests: {} };
  const keep = (into: Json, name: string, value: unknown) => {
    const shown = cleaned(value);
    if (isBetter(shown, into[name])) into[name] = shown;
  };
  for (const { method, path, sent, status, json } of answers) {
    const url = path.split("?", 1)[0]!;
    const [template] = patterns.find(([, pattern]) => pattern.test(url)) ?? [];
    const operation = template && document.paths[template]?.[method.toLowerCase()];
    const schema =
      operation && operation.responses[String(status)]?.content?.["application/json"]?.schema;
    // The first is by a recipe; those that follow have nonsense in places.
    const length = JSON.stringify(sent ?? {}).length;
    if (operation && length > "{}".length && length < LONGEST_REQUEST)
      examples.requests[`${method} ${template}`] ??= cleaned(sent);
    if (!schema || json === undefined || template === "/api/openapi.json") continue;
    const [entity, items] = [entityOf(schema), schema.items && entityOf(schema.items)];
    if (entity) keep(examples.entities, entity, json);
    else if (items && Array.isArray(json))
      json.forEach((each) => keep(examples.entities, items, each));
    else if (!schema.anyOf) keep(examples.operations, `${method} ${template}`, json);
  }
  const sorted = (all: Json) =>
    Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    entities: sorted(examples.entities),
    operations: sorted(examples.operations),
    requests: sorted({ ...examples.requests, ...BY_HAND }),
  };
};

if (import.meta.main) {
  const lines = readFileSync(process.argv[2]!, "utf8").trim().split("\n");
  writeFileSync(EXAMPLES, `${JSON.stringify(selectExamples(lines))}\n`);
}
