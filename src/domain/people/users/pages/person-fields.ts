// Draws the form fields of a new person, on the sign-up page and on the page that creates the owner.

import type { App } from "../../../../platform/app.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { inputField } from "./components.ts";
import type { Faults } from "./components.ts";

export const personFields = (
  app: App,
  t: Say,
  values: Partial<Record<string, string>>,
  faults: Faults,
) => [
  inputField({
    name: "username",
    label: t("field.username"),
    value: values["username"] ?? "",
    fault: faults["username"],
    autocomplete: "username",
    maxlength: 30,
    suffix: `@${app.config.site.localDomain}`,
    hint: t("field.username_hint"),
    autofocus: Object.keys(faults).length === 0,
  }),
  inputField({
    name: "email",
    label: t("field.email"),
    type: "email",
    value: values["email"] ?? "",
    fault: faults["email"],
    autocomplete: "email",
    hint: t("field.email_hint"),
  }),
  inputField({
    name: "password",
    label: t("field.password"),
    type: "password",
    fault: faults["password"],
    autocomplete: "new-password",
    minlength: 8,
    maxlength: 72,
    hint: t("field.password_hint"),
  }),
];
