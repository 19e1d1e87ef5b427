// Builds schemas with TypeBox's types but without loading the library, which takes 24 MB and 75 ms. A schema is a plain
// JSON object that our own validator reads (validate.ts).

import type * as TypeBox from "typebox";

type Schema = Record<string, unknown>;

/** Key that marks an optional member; it is not enumerable, so that it is not part of the schema. */
const OPTIONAL = Symbol("optional");

const plain =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

const object = (properties: Record<string, Schema & { [OPTIONAL]?: true }>, options?: Schema) => {
  const required = Object.keys(properties).filter((name) => !properties[name]![OPTIONAL]);
  return { type: "object", properties, ...(required.length > 0 && { required }), ...options };
};

const builders = {
  String: plain("string"),
  Boolean: plain("boolean"),
  Integer: plain("integer"),
  Number: plain("number"),
  Null: plain("null"),
  Unknown: (options: Schema = {}): Schema => ({ ...options }),
  Literal: (value: unknown, options: Schema = {}): Schema => ({ const: value, ...options }),
  Enum: (values: unknown[], options: Schema = {}): Schema => ({ enum: [...values], ...options }),
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: "array", items, ...options }),
  Union: (anyOf: Schema[], options: Schema = {}): Schema => ({ anyOf, ...options }),
  Optional: (schema: Schema): Schema =>
    Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Object: object,
};

type Names = keyof typeof builders;

/** `Type.String()` and so on, typed by TypeBox; only the builders above exist. */
export const Type = builders as unknown as Pick<typeof TypeBox.Type, Names>;
export type TSchema = TypeBox.TSchema;
export type Static<T extends TSchema> = TypeBox.Static<T>;
