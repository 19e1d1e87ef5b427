// Fields that several of these pages have.

import type { Field } from "../../../../../web/src/served/part-pages.ts";

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
  max: 72,
} as const satisfies Field;

/** Required before important changes. */
export const PASSWORD = {
  name: "current_password",
  label: "field.current_password",
  type: "password",
  autocomplete: "current-password",
} as const satisfies Field;

/** Returns the fields of a new person. */
export const personFields = (localDomain: string): readonly Field[] => [
  {
    name: "username",
    label: "field.username",
    hint: "field.username_hint",
    autocomplete: "username",
    max: 30,
    suffix: `@${localDomain}`,
    autofocus: true,
  },
  { ...EMAIL, hint: "field.email_hint" },
  { ...NEW_PASSWORD, label: "field.password" },
];
