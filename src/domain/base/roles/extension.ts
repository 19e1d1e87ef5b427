// What longer posts of people with some roles add to the API.

import type { Extension } from "../../../platform/http/extension.ts";

export const roleCharacters: Extension = {
  name: "role_characters",
  members: { "Role.max_characters": { type: "integer" } },
};
