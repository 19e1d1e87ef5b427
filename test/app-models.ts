// Checks that answers fit the models of strict apps: Int of Swift, int of Java and Kotlin, and closed lists of words.

/** The largest int of Java, and Int of Kotlin. */
const MAX_INT = 2 ** 31 - 1;

/** Members that look like ids but are numbers, because apps on iPhones read only numbers there. */
const NUMBERS: ReadonlySet<string> = new Set([
  "most_recent_notification_id",
  "notification_id",
  "application_id",
]);

const IS_ID = /^(?:id|.+_ids?)$/;

const AUDIENCES = ["public", "unlisted", "private", "direct"];

/** Words that these members may have, in any entity: an app that does not know one loses the whole list. */
const WORDS: Record<string, readonly string[]> = {
  visibility: AUDIENCES,
  "posting:default:visibility": AUDIENCES,
  filter_action: ["warn", "hide", "blur"],
  replies_policy: ["followed", "list", "none"],
  current_user: ["automatic", "manual", "denied", "unknown"],
};

const isInt = (value: unknown): boolean =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_INT;

/** Checks the id of a push subscription: Kotlin and Java read it, as text or number, into 32 bits. */
const subscriptionFaults = (members: Record<string, unknown>, path: string): string[] =>
  "server_key" in members && "endpoint" in members && !isInt(Number(members["id"]))
    ? [`${path}.id is no int of 32 bits`]
    : [];

const memberFaults = (name: string, value: unknown, path: string): string[] => {
  const words = WORDS[name];
  if (words && !words.includes(value as string))
    return [`${path} is ${JSON.stringify(value)}, and one of ${words.join(", ")} in apps`];
  if (NUMBERS.has(name))
    return isInt(value) || value === null ? [] : [`${path} is no number that fits an int`];
  return IS_ID.test(name) ? idFaults(value, path) : appFaults(value, path);
};

/** Checks that ids are strings: JavaScript would round a number, and apps want strings. */
const idFaults = (value: unknown, path: string): string[] =>
  [value].flat().some((id) => typeof id === "number")
    ? [`${path} is a number for an id`]
    : appFaults(value, path);

/** Returns what apps could not read in an answer, each with its path. */
export const appFaults = (value: unknown, path: string): string[] => {
  if (typeof value === "number")
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? [`${path} is a number over 2^53`] : [];
  if (Array.isArray(value)) return value.flatMap((item) => appFaults(item, `${path}[]`));
  if (value === null || typeof value !== "object") return [];
  const members = value as Record<string, unknown>;
  return [
    ...subscriptionFaults(members, path),
    ...Object.entries(members).flatMap(([name, member]) =>
      memberFaults(name, member, `${path}.${name}`),
    ),
  ];
};
