// Turns push notifications on for this browser. Nothing is asked before the person presses the button.

import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { KINDS } from "../store/notifications.ts";
import type { Kind } from "../store/notifications.ts";
import { pushState } from "../store/push.ts";

/** Kinds of notifications that are on by default. */
const USUAL: readonly Kind[] = ["mention", "quote", "follow", "follow_request", "poll"];
const CHOICES = (Object.keys(KINDS) as Kind[]).filter((kind) => !kind.startsWith("admin."));

const Choice = ({ kind, isOn }: { kind: Kind; isOn: boolean }) => {
  const { t } = useApp();
  return (
    <label class="check">
      <input type="checkbox" name="alert" value={kind} defaultChecked={isOn} />{" "}
      {t(`notify.kind.${kind}`)}
    </label>
  );
};

export const PushPanel = () => {
  const { t, get } = useApp();
  useEffect(() => {
    void import("../window/push.ts").then(({ readPush }) => readPush(get)).catch(() => {});
  }, []);
  const state = pushState.value;
  // Without scripts there is nothing to turn on.
  if (state === null) return null;
  const isChoosable = state.kind === "on" || state.kind === "off";
  return (
    <form class="panel" data-act="push">
      <h2>{t("push.title")}</h2>
      <p>{t(`push.${state.kind}`)}</p>
      {isChoosable && (
        <>
          <fieldset class="checks">
            <legend class="soft">{t("push.kinds")}</legend>
            {CHOICES.map((kind) => {
              const alerts = state.kind === "on" ? state.alerts : null;
              const isOn = alerts ? alerts[KINDS[kind][0]] === true : USUAL.includes(kind);
              return <Choice key={`${kind} ${state.kind}`} kind={kind} isOn={isOn} />;
            })}
          </fieldset>
          <button class="button" name="push" value="on">
            {t(state.kind === "on" ? "push.save" : "push.turn_on")}
          </button>{" "}
          {state.kind === "on" && (
            <button class="button plain" name="push" value="off">
              {t("push.turn_off")}
            </button>
          )}
        </>
      )}
    </form>
  );
};
