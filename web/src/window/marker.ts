// Stores how far a member has read home, for the next visit and for other apps.

import { useEffect } from "preact/hooks";
import type { App } from "../app.ts";
import { isNewer } from "../store/feed.ts";

let saved: string | undefined;

/** Saves the id that `newest` returns when the page is left. */
export const useHomeMarker = (app: App, newest: () => string | undefined): void => {
  useEffect(() => {
    const save = (): void => {
      const id = newest();
      if (!app.me || id === undefined || !isNewer(id, saved)) return;
      saved = id;
      const body = { home: { last_read_id: id } };
      void app.send("POST", "/api/v1/markers", { body }).catch(() => {});
    };
    const hide = (): void => {
      if (document.hidden) save();
    };
    document.addEventListener("visibilitychange", hide);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      save();
    };
  }, [newest]);
};
