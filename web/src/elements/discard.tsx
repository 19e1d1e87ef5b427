// Leads from a form that shows what was entered beside what is saved now to what is saved: its address opens its page.

import { useApp } from "../app.ts";
import type { Refused } from "../app.ts";

export const Discard = ({ refused }: { refused: Refused | undefined }) => {
  const { t } = useApp();
  if (!refused?.isStale) return null;
  return (
    <>
      {" "}
      <a href={refused.action}>{t("field.discard")}</a>
    </>
  );
};
