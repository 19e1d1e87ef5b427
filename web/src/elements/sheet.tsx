// A native dialog above the page, so that the browser keeps the focus inside and returns it. It is open while it is
// drawn. On phones it stands on the bottom of the window, as high as its content.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { useModal } from "../window/modals.ts";
import { Icon } from "./icons.tsx";
import { MenuLayer } from "./menu.tsx";
import { MessageLine } from "./message.tsx";

type Props = {
  /** Its heading. */
  title: string;
  /** Called by Escape, the button and a press beside the sheet; the owner stops drawing it. */
  onClose(): void;
  class?: string;
  /** An `alertdialog` asks something; the text with the id is read with its title. */
  role?: "alertdialog";
  about?: string | undefined;
  /** Buttons beside the heading. */
  tools?: ComponentChildren;
  children: ComponentChildren;
};

export const Sheet = ({ title, role, about, onClose, tools, children, ...more }: Props) => {
  const app = useApp();
  const { t } = app;
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  return (
    <dialog
      ref={dialog}
      class={`sheet ${more.class ?? ""}`}
      role={role}
      aria-label={title}
      aria-describedby={about}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={() => dialog.current && onClose()}
      onClick={(event) => {
        if (!(event.target as Element).closest("[data-cancel]")) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
      <div class="sheet-inside">
        <header class="sheet-head">
          <h2>{title}</h2>
          {tools}
          <button
            type="button"
            class="icon-button"
            aria-label={t("sheet.close")}
            title={t("sheet.close")}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
      <MenuLayer dialog={dialog} />
      <MessageLine base={app} dialog={dialog} />
    </dialog>
  );
};
