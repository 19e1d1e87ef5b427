// Forms of these pages, and fields that several of them have.

import type { Field, FormPart } from "../../../../../web/src/served/part-pages.ts";

export const EMAIL = {
  name: "email",
  label: "field.email",
  type: "email",
  autocomplete: "email",
} as const satisfies Field;

export const NEW_PASSWORD = {
  name: "password",
  label: "field.new_password",
  hint: "field.password_hint",
  type: "password",
  autocomplete: "new-password",
  min: 8,
} as const satisfies Field;

/** Required before important changes. */
export const PASSWORD = {
  name: "current_password",
  label: "field.current_password",
  type: "password",
  autocomplete: "current-password",
} as const satisfies Field;

export const usernameField = (localDomain: string): Field => ({
  name: "username",
  label: "field.username",
  hint: "field.username_hint",
  autocomplete: "username",
  max: 30,
  suffix: `@${localDomain}`,
  autofocus: true,
});

/** Returns the fields of a new person. */
export const personFields = (localDomain: string): readonly Field[] => [
  usernameField(localDomain),
  { ...EMAIL, hint: "field.email_hint" },
  { ...NEW_PASSWORD, label: "field.password" },
];

/** Declares a form with the label of its button. */
export const formOf = (
  action: string,
  submit: FormPart["submit"],
  fields: FormPart["fields"] = [],
  more: Omit<FormPart, "action" | "submit" | "fields"> = {},
): { form: FormPart } => ({ form: { action, submit, fields, ...more } });
