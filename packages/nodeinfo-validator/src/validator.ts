// Checks a NodeInfo 2.0 document against the public schema and reports every violation.
// http://nodeinfo.diaspora.software/ns/schema/2.0

/** `path` joins the members' names with dots (`usage.users.total`, `protocols.0`); "" is the whole. */
type Violation = { path: string; message: string };

type Check = (value: unknown, path: string) => Violation[];
type Json = Record<string, unknown>;

const PROTOCOLS =
  "activitypub buddycloud dfrn diaspora libertree ostatus pumpio tent xmpp zot".split(" ");

const INBOUND = "atom1.0 gnusocial imap pnut pop3 pumpio rss2.0 twitter".split(" ");

const OUTBOUND = [
  ..."atom1.0 blogger buddycloud diaspora dreamwidth drupal facebook friendica gnusocial".split(
    " ",
  ),
  ..."google insanejournal libertree linkedin livejournal mediagoblin myspace pinterest".split(" "),
  ..."pnut posterous pumpio redmatrix rss2.0 smtp tent tumblr twitter wordpress xmpp".split(" "),
];

const fail = (path: string, message: string): Violation[] => [{ path, message }];

const below = (path: string, name: string | number): string =>
  path === "" ? String(name) : `${path}.${name}`;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const string: Check = (value, path) =>
  typeof value === "string" ? [] : fail(path, "must be a string");

const boolean: Check = (value, path) =>
  typeof value === "boolean" ? [] : fail(path, "must be true or false");

const count: Check = (value, path) =>
  Number.isInteger(value) && (value as number) >= 0
    ? []
    : fail(path, "must be an integer of at least 0");

const anyObject: Check = (value, path) => (isObject(value) ? [] : fail(path, "must be an object"));

const exactly =
  (expected: string): Check =>
  (value, path) =>
    value === expected ? [] : fail(path, `must be "${expected}"`);

const softwareName: Check = (value, path) =>
  typeof value === "string" && /^[a-z0-9-]+$/.test(value)
    ? []
    : fail(path, "must be a name of lower-case letters, digits and hyphens");

/** Checks a list; items may repeat, as in the schema. */
const listOf =
  (allowed: string[], least: number): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return fail(path, "must be an array");
    const tooFew = value.length < least ? fail(path, `must have at least ${least} item`) : [];
    const unknown = value.flatMap((item, index) =>
      allowed.includes(item)
        ? []
        : fail(below(path, index), `must be one of: ${allowed.join(", ")}`),
    );
    return [...tooFew, ...unknown];
  };

/** Checks an object with these members and no others. */
const closed =
  (members: Record<string, Check>, required: string[] = Object.keys(members)): Check =>
  (value, path) => {
    if (!isObject(value)) return fail(path, "must be an object");
    const missing = required.filter((name) => !Object.hasOwn(value, name));
    return [
      ...missing.flatMap((name) => fail(below(path, name), "is required")),
      ...Object.entries(value).flatMap(([name, member]) => {
        const check = Object.hasOwn(members, name) ? members[name] : undefined;
        const at = below(path, name);
        return check ? check(member, at) : fail(at, "is not a member of this object");
      }),
    ];
  };

const document = closed({
  version: exactly("2.0"),
  software: closed({ name: softwareName, version: string }),
  protocols: listOf(PROTOCOLS, 1),
  services: closed({ inbound: listOf(INBOUND, 0), outbound: listOf(OUTBOUND, 0) }),
  openRegistrations: boolean,
  usage: closed(
    {
      users: closed({ total: count, activeHalfyear: count, activeMonth: count }, []),
      localPosts: count,
      localComments: count,
    },
    ["users"],
  ),
  metadata: anyObject,
});

/** Returns every violation of the NodeInfo 2.0 schema in a parsed document; none means that it is valid. */
export const validateNodeInfo = (value: unknown): Violation[] => document(value, "");
