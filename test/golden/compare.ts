// Compares our answer with the recorded one and lists the differences. Ours may have more members, because the contract
// is newer than the recording.

/** Members whose values always differ: only their type is compared. */
const FREE = new Set([
  "error",
  "error_description",
  "access_token",
  "client_id",
  "client_secret",
  "vapid_key",
  "publicKeyPem",
  // The picture is another one.
  "blurhash",
  "avatar",
  "avatar_static",
  "header",
  "header_static",
]);

export type Rules = {
  /** Whether values are compared too; not for what a server says about itself. */
  values: boolean;
  /** Members that ours cannot have, by the id of a recorded record. */
  lacking: Map<string, string[]>;
};

type Pair = { recorded: unknown; ours: unknown; path: string };

const typeOf = (value: unknown): string => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
};

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 800);

/** Whether both are ids of follows, apps and so on, which differ between servers: small there, any number here. */
const isOwnNumber = (recorded: unknown, ours: unknown): boolean =>
  typeof recorded === "string" &&
  typeof ours === "string" &&
  /^-?\d{1,14}$/.test(recorded) &&
  /^\d+$/.test(ours);

const isFree = (name: string, recorded: unknown, ours: unknown): boolean =>
  FREE.has(name) ||
  (/(?:^|_)id$/.test(name) && isOwnNumber(recorded, ours)) ||
  (name === "created_at" && typeof recorded === "number");

/**
 * Compares lists with items of several kinds, in what a server says about itself: each item must be like a recorded
 * one.
 */
const likeOneOf = (recorded: unknown[], ours: unknown[], path: string, rules: Rules): string[] => {
  if (recorded.length === 0 || typeof recorded[0] !== "object") return [];
  if (ours.length === 0) return [`${path}: an empty list, recorded ${recorded.length} items`];
  return ours.flatMap((item, index) => {
    const tries = recorded.map((other) =>
      differences({ recorded: other, ours: item, path: `${path}[${index}]` }, rules),
    );
    return tries.sort((a, b) => a.length - b.length)[0]!;
  });
};

const arrays = (recorded: unknown[], ours: unknown[], path: string, rules: Rules): string[] => {
  if (!rules.values) return likeOneOf(recorded, ours, path, rules);
  if (recorded.length !== ours.length) {
    return [`${path}: ${ours.length} items, recorded ${recorded.length}\n  ours: ${show(ours)}`];
  }
  return recorded.flatMap((item, index) =>
    differences({ recorded: item, ours: ours[index], path: `${path}[${index}]` }, rules),
  );
};

type Members = Record<string, unknown>;

const objects = (recorded: Members, ours: Members, path: string, rules: Rules): string[] => {
  const lacking = rules.lacking.get(String(recorded["id"])) ?? [];
  return Object.entries(recorded).flatMap(([name, item]) => {
    if (lacking.includes(name)) return [];
    const member = `${path}.${name}`;
    if (!Object.hasOwn(ours, name)) return [`${member}: missing\n  recorded: ${show(item)}`];
    const own = ours[name];
    const values = rules.values && !isFree(name, item, own);
    return differences({ recorded: item, ours: own, path: member }, { ...rules, values });
  });
};

/** Replaces midnights, which rounding makes and normalising keeps; it can also be the moment of the test. */
const atAnyTime = (ours: unknown): unknown =>
  typeof ours === "string"
    ? ours.replaceAll(/T00:00:00(\.\d{3}Z)?/g, (_, ms) => (ms ? "Ttime.msZ" : "Ttime"))
    : ours;

/** Returns the differences, as "path: what differs"; empty if ours agrees. Both must be normalised (levels.ts). */
export const differences = ({ recorded, ours, path }: Pair, rules: Rules): string[] => {
  const differ = [`${path}: ${typeOf(ours)} ${show(ours)}\n  recorded: ${show(recorded)}`];
  if (typeOf(recorded) !== typeOf(ours)) return differ;
  if (Array.isArray(recorded)) return arrays(recorded, ours as unknown[], path, rules);
  if (typeof recorded === "object" && recorded !== null) {
    return objects(recorded as Members, ours as Members, path, rules);
  }
  return rules.values && recorded !== ours && recorded !== atAnyTime(ours) ? differ : [];
};

type Link = Record<string, string>;

/** Returns URL and parameters by rel. */
const parseLinks = (header: string): Record<string, Link> => {
  const links = [...header.matchAll(/<([^>]*)>;\s*rel="([^"]*)"([^,]*)/g)].filter(
    // These are ours alone (RFC 8631).
    ([, , rel]) => !/^service-(?:desc|doc)$/.test(rel!),
  );
  return Object.fromEntries(
    links.map(([, target, rel, more]) => {
      const url = new URL(target!);
      const address = url.origin + url.pathname;
      return [rel!, { address, ...Object.fromEntries(url.searchParams), more: more! }];
    }),
  );
};

/** Checks that both headers have the same rels in the same order, and that no link of ours has more parameters. */
const linkDifferences = (recorded: string, ours: string, rules: Rules): string[] => {
  const [expected, actual] = [parseLinks(recorded), parseLinks(ours)];
  const rels = { recorded: Object.keys(expected), ours: Object.keys(actual), path: "link" };
  const faults = differences(rels, rules);
  if (faults.length > 0) return faults;
  return Object.entries(expected).flatMap(([rel, link]) => {
    const path = `link.${rel}`;
    const more = Object.keys(actual[rel]!).filter((name) => !Object.hasOwn(link, name));
    return [
      ...differences({ recorded: link, ours: actual[rel], path }, rules),
      ...more.map((name) => `${path}.${name}: not recorded`),
    ];
  });
};

const essence = (type: string): string => type.split(";")[0]!;

export type Comparable = { status: number; type: string; link: string; body: unknown };

/** Returns all differences between two normalised answers. */
export const compareAnswers = (recorded: Comparable, ours: Comparable, rules: Rules): string[] => {
  if (recorded.status !== ours.status) {
    return [`status: ${ours.status} ${show(ours.body)}\n  recorded: ${recorded.status}`];
  }
  const exact = { ...rules, values: true };
  const types = {
    recorded: essence(recorded.type),
    ours: essence(ours.type),
    path: "content-type",
  };
  return [
    ...differences(types, exact),
    ...linkDifferences(recorded.link, ours.link, exact),
    ...differences({ recorded: recorded.body, ours: ours.body, path: "body" }, rules),
  ];
};
