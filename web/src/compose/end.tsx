// Chooses when a post ends: never, or some time after posting; an edited post can keep its end.

import { useApp } from "../app.ts";
import type { App } from "../app.ts";
import { duration, moment } from "../text/time.ts";
import type { Draft } from "./draft.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

export const ENDS: readonly number[] = [HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 365 * DAY];

/** Draws the choices of a form field; the first, "", means never. */
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

type Ending = Pick<Draft, "endsAfter" | "endsAt">;

/** Whether the edited post keeps its end. */
const isKept = ({ endsAfter, endsAt }: Ending): boolean =>
  endsAfter === undefined && Boolean(endsAt);

/** Returns null when the post never ends. */
export const endText = ({ locale, t }: App, ending: Ending): string | null => {
  if (isKept(ending)) return t("post.ends", { time: moment(locale, ending.endsAt!) });
  const { endsAfter } = ending;
  return endsAfter ? t("compose.end_after", { time: duration(locale, endsAfter) }) : null;
};

type Props = { draft: Ending; onChange(endsAfter: number | null | undefined): void };

export const EndSelect = ({ draft: { endsAfter, endsAt }, onChange }: Props) => {
  const app = useApp();
  const hasKept = isKept({ endsAfter, endsAt });
  const isOther = typeof endsAfter === "number" && !ENDS.includes(endsAfter);
  const value = hasKept ? KEPT : String(endsAfter ?? "");
  return (
    <select
      value={value}
      onChange={({ currentTarget: { value: chosen } }) =>
        onChange(chosen === KEPT ? undefined : chosen === "" ? null : Number(chosen))
      }
    >
      {endsAt && (
        <option value={KEPT} selected={hasKept}>
          {endText(app, { endsAt })}
        </option>
      )}
      {isOther && (
        <option value={value} selected>
          {endText(app, { endsAfter })}
        </option>
      )}
      <EndOptions chosen={value} />
    </select>
  );
};
