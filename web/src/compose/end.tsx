// When a post ends: never, or so long after it is posted; of one that is edited also as it is.

import { useApp } from "../app.ts";
import { duration, moment } from "../text/time.ts";
import type { Draft } from "./draft.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

export const ENDS: readonly number[] = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 365 * DAY];

/** The choices for a field of a form; the first is "": never. */
export const EndOptions = ({ chosen }: { chosen: string }) => {
  const { locale, t } = useApp();
  return (
    <>
      <option value="" selected={chosen === ""}>
        {t("compose.end_never")}
      </option>
      {ENDS.map((seconds) => (
        <option key={seconds} value={seconds} selected={chosen === String(seconds)}>
          {t("compose.end_after", { time: duration(locale, seconds) })}
        </option>
      ))}
    </>
  );
};

const KEPT = "kept";

type Props = {
  draft: Pick<Draft, "endsAfter" | "endsAt">;
  onChange(endsAfter: number | null | undefined): void;
};

export const EndChoice = ({ draft: { endsAfter, endsAt }, onChange }: Props) => {
  const { locale, t } = useApp();
  const isKept = endsAfter === undefined && Boolean(endsAt);
  const isOther = typeof endsAfter === "number" && !ENDS.includes(endsAfter);
  const value = isKept ? KEPT : String(endsAfter ?? "");
  return (
    <select
      class="option-choice"
      aria-label={t("compose.end")}
      title={t("compose.end")}
      value={value}
      onChange={({ currentTarget: { value: chosen } }) =>
        onChange(chosen === KEPT ? undefined : chosen === "" ? null : Number(chosen))
      }
    >
      {endsAt && (
        <option value={KEPT} selected={isKept}>
          {t("post.ends", { time: moment(locale, endsAt) })}
        </option>
      )}
      {isOther && (
        <option value={value} selected>
          {t("compose.end_after", { time: duration(locale, endsAfter) })}
        </option>
      )}
      <EndOptions chosen={value} />
    </select>
  );
};
