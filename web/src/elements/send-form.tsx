// A form whose address is in the API below /web/act/. With scripts it is sent in place (acts/send-form.ts).

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { FormFields } from "./form-fields.tsx";
import { Refusable } from "./refusable.tsx";

export const SENT = "sent";

type Props = {
  /** Path in the API, without its prefix: `accounts/1/mute`. A last part `delete` stands for the method. */
  path: string;
  /** Path of the page that opens after sending. */
  back: string;
  /** Message that is shown after sending. */
  done?: string;
  /** Keeps the sheet that contains it open. */
  stays?: boolean;
  /** Page that does not exist any more afterwards. */
  gone?: string;
  onSent?: () => void;
  class?: string;
  children: ComponentChildren;
};

export const SendForm = ({ path, back, done, stays, gone, onSent, children, ...more }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const element = form.current;
    if (!element || !onSent) return;
    element.addEventListener(SENT, onSent);
    return () => element.removeEventListener(SENT, onSent);
  });
  return (
    <form
      ref={form}
      method="post"
      action={`/web/act/${path}`}
      noValidate
      class={more.class}
      data-act="send"
      data-done={done}
      data-stays={stays ? "" : undefined}
      data-gone={gone}
    >
      <FormFields back={back} done={done} />
      <Refusable action={`/web/act/${path}`}>{children}</Refusable>
    </form>
  );
};
