// Modal dialogs: of what is in the window, the topmost one alone is pressed and heard.

import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

export type Dialog = { readonly current: HTMLDialogElement | null };

const modals = signal<readonly Dialog[]>([]);

/** Whether the dialog is the topmost one, or none is open. */
export const isOnTop = (dialog?: Dialog): boolean => modals.value.at(-1) === dialog;

/** Opens the dialog for as long as it is drawn. */
export const useModal = (dialog: Dialog): void =>
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    modals.value = [...modals.peek(), dialog];
    return () => {
      modals.value = modals.peek().filter((each) => each !== dialog);
      element.close();
    };
  }, []);
