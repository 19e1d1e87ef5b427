// Coercion by schema: every value may come as text, and no input can break it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "./schema.ts";
import type { TSchema } from "./schema.ts";
import { DomainError } from "../errors.ts";
import { UploadedFile } from "./uploaded-file.ts";
import { compileValidator } from "./validate.ts";

type Outcome = { value?: any; error?: unknown };

const run = (schema: TSchema, data: unknown): Outcome => compileValidator({ schema })(data);

/** The value of one optional member `x`. */
const read = (schema: TSchema, x: unknown): unknown => {
  const outcome = run(Type.Object({ x: Type.Optional(schema) }), { x });
  assert.equal(outcome.error, undefined, `${String(outcome.error)}`);
  return outcome.value.x;
};

/** The error codes by field. */
const faults = (schema: TSchema, data: unknown): Record<string, string[]> => {
  const { error } = run(schema, data);
  assert.ok(error instanceof DomainError, "accepted");
  assert.equal(error.meaning, "invalid");
  const { details } = error.details as { details: Record<string, { error: string }[]> };
  return Object.fromEntries(
    Object.entries(details).map(([field, faults]) => [field, faults.map((fault) => fault.error)]),
  );
};

const refused = (schema: TSchema, x: unknown): string =>
  faults(Type.Object({ x: Type.Optional(schema) }), { x })["x"]![0]!;

const NESTED: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
const TRAP = JSON.parse('{"toString": 1, "valueOf": 2, "toJSON": 3, "length": -1}');
const FILE = new UploadedFile("a.png", "image/png", "/nowhere", 1);

/** Values that are not scalars; String() of each of them throws or misleads. */
const NO_SCALARS: [string, unknown][] = [
  ["an object", { a: 1 }],
  ["a list", ["a"]],
  ["deep lists", NESTED],
  ["an object with a toString of its own", TRAP],
  ["a file", FILE],
];

test("booleans are words", () => {
  for (const word of ["false", "FALSE", "False", "0", "f", "F", "off", "OFF", "", 0, false]) {
    assert.equal(read(Type.Boolean(), word), false, String(word));
  }
  for (const word of ["true", "1", "t", "on", "yes", "no", "null", " ", 1, -1, true]) {
    assert.equal(read(Type.Boolean(), word), true, String(word));
  }
});

test("numbers come as text, an empty field of a form is none", () => {
  assert.equal(read(Type.Integer(), "42"), 42);
  assert.equal(read(Type.Integer(), " -7 "), -7);
  assert.equal(read(Type.Integer(), 9007199254740991), 9007199254740991);
  assert.equal(read(Type.Number(), "1.5"), 1.5);
  assert.equal(read(Type.Integer(), ""), undefined);
  const nullable = Type.Union([Type.Integer(), Type.Null()]);
  assert.equal(read(nullable, ""), null);
  assert.equal(read(nullable, "5"), 5);
});

test("what is no number, no whole number or beyond exact ones is refused", () => {
  const wrong = [
    "x",
    "1x",
    " ",
    "NaN",
    "Infinity",
    "-Infinity",
    "1.5",
    "1e400",
    "9007199254740993",
  ];
  for (const value of [...wrong, "9".repeat(100_000), true, 1.5, 1e300]) {
    assert.equal(refused(Type.Integer(), value), "ERR_INVALID", String(value).slice(0, 20));
  }
});

test("text takes scalars, well-formed and without NUL", () => {
  assert.equal(read(Type.String(), 5), "5");
  assert.equal(read(Type.String(), false), "false");
  assert.equal(read(Type.String(), ""), "");
  assert.equal(read(Type.String(), "a\ud800b"), "a\ufffdb");
  assert.equal(read(Type.String(), "\ude00\ud83d"), "\ufffd\ufffd");
  assert.equal(read(Type.String(), "\u{1f426}"), "\u{1f426}");
  assert.equal(read(Type.String(), "x".repeat(100_000)), "x".repeat(100_000));
  assert.equal(refused(Type.String(), "a\0b"), "ERR_INVALID");
  assert.equal(refused(Type.String({ maxLength: 3 }), "abcd"), "ERR_TOO_LONG");
  assert.equal(read(Type.String({ maxLength: 3 }), "abc"), "abc");
});

test("nothing but scalars becomes a scalar", () => {
  const schemas: TSchema[] = [
    Type.String(),
    Type.Integer(),
    Type.Number(),
    Type.Boolean(),
    Type.Enum(["a", "b"]),
    Type.Union([Type.Literal("a"), Type.Literal("b")]),
    Type.Union([Type.String(), Type.Null()]),
    Type.Union([Type.Boolean(), Type.Integer()]),
  ];
  for (const schema of schemas) {
    for (const [label, value] of NO_SCALARS) {
      assert.equal(refused(schema, value), "ERR_INVALID", `${JSON.stringify(schema)}: ${label}`);
    }
  }
});

test("enums accept the values of their list; an empty text counts as none", () => {
  const word = Type.Enum(["public", "private"]);
  assert.equal(read(word, "private"), "private");
  assert.equal(read(word, ""), undefined);
  assert.equal(refused(word, "Public"), "ERR_INCLUSION");
  assert.equal(refused(word, "x".repeat(100_000)), "ERR_INCLUSION");
  assert.equal(refused(word, "__proto__"), "ERR_INCLUSION");
  assert.equal(read(Type.Union([Type.Literal(""), Type.Literal("a")]), ""), "");
  assert.equal(read(Type.Union([Type.Literal(1), Type.Literal(2)]), "2"), 2);
  assert.equal(read(Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()]), ""), null);
});

test("lists come as lists, scalars or objects with index names", () => {
  const list = Type.Array(Type.String());
  assert.deepEqual(read(list, ["a", 1]), ["a", "1"]);
  assert.deepEqual(read(list, "a"), ["a"]);
  assert.deepEqual(read(list, 7), ["7"]);
  assert.deepEqual(read(list, ""), []);
  assert.deepEqual(read(list, []), []);
  assert.deepEqual(read(list, { 1: "b", 0: "a", 10: "c" }), ["a", "b", "c"]);
  assert.deepEqual(read(list, ["a", null, "b"]), ["a", "b"]);
  assert.deepEqual(read(Type.Array(Type.Integer()), ["1", "", "2"]), [1, 2]);
  assert.equal(refused(list, [["a"]]), "ERR_INVALID");
  assert.equal(refused(list, NESTED), "ERR_INVALID");
  assert.equal(refused(list, FILE), "ERR_INVALID");
  assert.equal(
    refused(Type.Array(Type.String(), { maxItems: 2 }), ["a", "b", "c"]),
    "ERR_TOO_LONG",
  );
  assert.deepEqual(read(Type.Array(Type.Unknown()), FILE), [FILE]);
});

test("objects are read by their own members only", () => {
  const schema = Type.Object({
    name: Type.Optional(Type.String()),
    toString: Type.Optional(Type.String()),
  });
  assert.deepEqual({ ...(read(schema, { name: "a", more: 1 }) as object) }, { name: "a" });
  assert.equal(Object.hasOwn(read(schema, { name: "a" }) as object, "toString"), false);
  assert.equal(refused(schema, "text"), "ERR_INVALID");
  assert.equal(refused(schema, FILE), "ERR_INVALID");
  assert.deepEqual(read(schema, []), {});
  assert.deepEqual(read(schema, JSON.parse('{"__proto__": {"name": "evil"}}')), {});
  assert.equal(({} as Record<string, unknown>)["name"], undefined);
});

test("null stays where the schema allows it, otherwise it counts as absent", () => {
  assert.equal(read(Type.Union([Type.String(), Type.Null()]), null), null);
  assert.equal(read(Type.Unknown(), null), null);
  assert.equal(read(Type.Null(), null), null);
  assert.equal(refused(Type.Null(), "x"), "ERR_INVALID");
  for (const schema of [Type.String(), Type.Integer(), Type.Boolean(), Type.Enum(["a"])]) {
    assert.equal(read(schema, null), undefined);
  }
  const outcome = run(Type.Object({ x: Type.Optional(Type.String()) }), { x: null });
  assert.deepEqual(Object.keys(outcome.value), []);
});

test("what is required must be there", () => {
  const schema = Type.Object({ a: Type.String(), b: Type.Integer(), c: Type.Enum(["x"]) });
  const all = { a: ["ERR_BLANK"], b: ["ERR_BLANK"], c: ["ERR_BLANK"] };
  for (const data of [{}, null, undefined, { a: null, b: null, c: null }]) {
    assert.deepEqual(faults(schema, data), all);
  }
  assert.deepEqual(faults(schema, { a: "", b: "", c: "" }), { b: ["ERR_BLANK"], c: ["ERR_BLANK"] });
  const mixed = faults(schema, { a: ["x"], b: "many", c: "y" });
  assert.deepEqual(mixed, { a: ["ERR_INVALID"], b: ["ERR_INVALID"], c: ["ERR_INCLUSION"] });
});

test("faults name the path, all of them at once", () => {
  const inner = Type.Object({ limit: Type.Integer(), tags: Type.Array(Type.String()) });
  const { error } = run(Type.Object({ alerts: inner }), {
    alerts: { limit: "x", tags: ["\0", {}] },
  });
  assert.ok(error instanceof DomainError);
  const { details } = error.details as { details: object };
  assert.deepEqual(Object.keys(details), ["alerts[limit]", "alerts[tags]"]);
  assert.match(error.message, /^Validation failed: alerts\[limit\] is not a number, /);
});

test("a fault within a list has the name that a form sends, with the place of one of several", async () => {
  const items = Type.Array(Type.Object({ kind: Type.Enum(["a", "b"]) }));
  const named = (data: object) => {
    const { error } = run(Type.Object({ items }), data);
    return (error as DomainError).details?.["details"];
  };
  const fault = [{ error: "ERR_INCLUSION", description: "is not included in the list (a, b)" }];
  assert.deepEqual(named({ items: [{ kind: "c" }] }), { "items[][kind]": fault });
  assert.deepEqual(named({ items: [{ kind: "a" }, { kind: "c" }] }), { "items[1][kind]": fault });
});

test("a body that is no object is refused, whatever it is", () => {
  const schema = Type.Object({ x: Type.Optional(Type.String()) });
  for (const data of ["text", 5, true, FILE]) {
    const { error } = run(schema, data);
    assert.ok(error instanceof DomainError);
    assert.equal(error.message, "Validation failed: Body is invalid");
  }
  assert.deepEqual(run(schema, [1, 2]), { value: {} });
});

test("of several shapes the first that fits is taken", () => {
  const schema = Type.Union([Type.Integer(), Type.Array(Type.String()), Type.String()]);
  assert.equal(read(schema, "5"), 5);
  assert.deepEqual(read(schema, "text"), ["text"]);
  assert.equal(refused(schema, ["a\0"]), "ERR_INVALID");
});
