// Garbage for parameters: wrong types, negative, huge, empty, lists, NUL bytes, 100 KB.

import type { Parameter } from "./rows.ts";

const LONG = "x".repeat(100_000);

/** Values for a path, where each has to be one segment. */
const IN_PATH = [
  "0",
  "-1",
  "abc",
  "1.5",
  "99999999999999999999999",
  "%00",
  "%ff",
  "a%00b",
  "'--",
  "x".repeat(3000),
];

const AS_TEXT = ["", "-1", "abc", "1e9", "99999999999999999999999", "a\u0000b", "[]", "\u{1f600}"];

const IN_JSON: unknown[] = [
  "",
  -1,
  1.5,
  1e30,
  true,
  null,
  [],
  {},
  ["abc", -1, { a: "b" }, null],
  { a: { b: ["c"] } },
  "a\u0000b",
  "\ud800",
  LONG,
  [LONG],
];

export const pathGarbage = (): string[] => IN_PATH;

/** Sets `name` ("a[b]", "a[]", "a[][b]") in a body: each level is an object or a list of one. */
const place = (target: Record<string, unknown>, name: string, value: unknown): void => {
  const [, head, rest] = /^([^[]+)(.*)$/.exec(name)!;
  const keys = [...rest!.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]!);
  const inner = keys.reduceRight<unknown>((inner, key) => {
    if (key === "") return Array.isArray(inner) ? inner : [inner];
    return { [key === ":index" ? "0" : key]: inner };
  }, value);
  target[head!] = inner;
};

/** Returns bodies with garbage in one parameter; the others stay as they were. */
export const bodiesWith = (parameter: Parameter, good: Record<string, unknown>): unknown[] =>
  IN_JSON.map((value) => {
    const body = structuredClone(good);
    place(body, parameter.name, value);
    return body;
  });

/** Returns query strings (or forms) with garbage in one parameter. */
export const queriesWith = (parameter: Parameter, good: URLSearchParams): URLSearchParams[] => {
  const name = parameter.name.replace(":index", "0");
  const bare = name.replace(/\[.*$/, "");
  const edited = (edit: (query: URLSearchParams) => void): URLSearchParams => {
    const query = new URLSearchParams(good);
    query.delete(name);
    edit(query);
    return query;
  };
  return [
    ...AS_TEXT.map((text) => edited((query) => query.set(name, text))),
    edited((query) => query.append(`${bare}[]`, "a")),
    edited((query) => query.append(`${bare}[a][b]`, "c")),
    edited((query) => {
      for (let index = 0; index < 60; index += 1) query.append(`${bare}[]`, String(index));
    }),
    edited((query) => query.set(bare, "7".repeat(4000))),
  ];
};
