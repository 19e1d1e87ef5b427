// Buttons for acts on a post or person. Each submits the page's one act form to its own address; with scripts the act
// is done in place (see browser/listen.ts).

import type { ComponentChildren } from "preact";
import { addressOf, useApp } from "../app.ts";

export const ACT_FORM = "acts";

/** Draws the form, once in each page. `back` is where the server redirects after an act. */
export const ActForm = () => {
  const { formToken, place } = useApp();
  return (
    <form id={ACT_FORM} method="post" action="/web/act" hidden>
      <input type="hidden" name="form_token" value={formToken} />
      <input type="hidden" name="back" value={addressOf(place)} />
    </form>
  );
};

export type ActProps = {
  /** Name of the act in the API's address: `favourite`, `unfollow` … */
  act: string;
  /** Kind in the API's address: `statuses`, `follow_requests` … */
  kind: string;
  id: string;
  label: string;
  pressed?: boolean;
  class?: string;
  disabled?: boolean;
  role?: "menuitem" | undefined;
  /** Message when it is done. */
  done?: string;
  /** Name and value of a field that is sent along. */
  name?: string;
  value?: string;
  /** Replaces what the button does otherwise, with scripts. */
  onPress?: (event: Event) => void;
  /** Called after the browser has handled the click. */
  onChosen?: () => void;
  children: ComponentChildren;
};

export const ActButton = (props: ActProps) => {
  const { act, kind, id, label, pressed, disabled, role, done, onChosen, children } = props;
  const { name, value, onPress } = props;
  return (
    <button
      form={ACT_FORM}
      formAction={`/web/act/${kind}/${id}/${act}`}
      name={name}
      value={value}
      data-act={act}
      data-kind={kind === "statuses" ? undefined : kind}
      data-id={id}
      data-done={done}
      class={props.class}
      role={role}
      aria-label={label}
      title={role ? undefined : label}
      aria-pressed={pressed}
      disabled={disabled}
      // The click submits the form before the button may disappear.
      onClick={onPress ?? (onChosen && (() => void setTimeout(onChosen)))}
    >
      {children}
    </button>
  );
};
