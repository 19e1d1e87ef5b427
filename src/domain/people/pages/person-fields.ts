// The fields that make a person: on the page to sign up and on the one that makes the owner.

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
    hint: "Letters, digits and underscores. It cannot be changed later.",
    autofocus: true,
  }),
  inputField({
    name: "email",
    label: "E-mail address",
    type: "email",
    value: values["email"] ?? "",
    fault: faults["email"],
    autocomplete: "email",
    hint: "Never shown to others.",
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
