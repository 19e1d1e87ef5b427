// How long a post of the person may be: as their role says, or else the server.

import { useApp } from "../app.ts";

export const useCharacters = (): number => {
  const { me, site } = useApp();
  return me?.role.max_characters ?? site.limits.characters;
};
