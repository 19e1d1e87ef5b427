// Says how often an invitation was used.

import { useText } from "./served.tsx";

type Used = { uses: number; max_uses: number | null };

export const useUses = (): ((invite: Used) => string) => {
  const t = useText();
  return ({ uses, max_uses: max }) =>
    max === null ? t("invites.used", { count: uses }) : t("invites.used_of", { uses, count: max });
};
