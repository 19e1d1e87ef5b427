// The length limit of the person's posts: of their role, or else of the server.

import { useApp } from "../app.ts";

export const useCharacters = (): number => {
  const { me, site } = useApp();
  return me?.role.max_characters ?? site.limits.characters;
};
