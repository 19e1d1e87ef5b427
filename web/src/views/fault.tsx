// Draws in place of a page that cannot be shown why, and where to go from here.

import { addressOf, signInPath, useApp } from "../app.ts";
import { asksToSignIn, faultTexts, faultTitle, shownFault } from "../text/fault.ts";
import type { Fault } from "../text/fault.ts";
import { ColumnHead } from "./frame.tsx";

/** Whether the fault may pass by itself. */
const isPassing = ({ status }: Fault): boolean => status === 0 || status === 429 || status >= 500;

export const FaultView = ({ fault }: { fault: Fault }) => {
  const { t, me, place } = useApp();
  const text = shownFault(fault).message || t(faultTexts(fault)[1]);
  return (
    <>
      <ColumnHead title={faultTitle(t, fault)} />
      <div class="empty">
        <p>{text}</p>
        <p>
          {asksToSignIn(fault) && !me ? (
            <a class="button" href={signInPath(place)}>
              {t("nav.sign_in")}
            </a>
          ) : (
            <>
              {isPassing(fault) && (
                <>
                  <a class="button" href={addressOf(place)}>
                    {t("fault.retry")}
                  </a>{" "}
                </>
              )}
              <a class="button plain" href="/">
                {t("fault.home")}
              </a>
            </>
          )}
        </p>
      </div>
    </>
  );
};
