// Describes the addition to the API for roles whose members may write longer posts.

import type { Extension } from "../../../platform/http/extension.ts";

export const roleCharacters: Extension = {
  name: "role_characters",
  members: { "Role.max_characters": { type: "integer" } },
};
