// The form fields of a new person: on the sign-up page and on the page that creates the owner.

import type { App } from "../../../platform/app.ts";
import { inputField } from "./parts.ts";
import type { Faults } from "./parts.ts";

export const personFields = (app: App, values: Partial<Record<string, string>>, faults: Faults) => [
  inputField({
    name: "username",
    label: "Username",
    value: values["username"] ?? "",
    fault: faults["username"],
    autocomplete: "username",
    maxlength: 30,
    suffix: `@${app.config.site.localDomain}`,
    hint: "Letters, numbers and underscores. You can’t change it later.",
    autofocus: true,
  }),
  inputField({
    name: "email",
    label: "Email address",
    type: "email",
    value: values["email"] ?? "",
    fault: faults["email"],
    autocomplete: "email",
    hint: "Never shown publicly.",
  }),
  inputField({
    name: "password",
    label: "Password",
    type: "password",
    fault: faults["password"],
    autocomplete: "new-password",
    minlength: 8,
    maxlength: 72,
    hint: "At least 8 characters.",
  }),
];
