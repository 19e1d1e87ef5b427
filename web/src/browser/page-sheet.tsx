// Shows the page that a link with `data-sheet` leads to above the present one.

import { signal } from "@preact/signals";
import { inTime } from "../api/request.ts";
import { AppProvider } from "../app.ts";
import type { App, Place } from "../app.ts";
import type { AnyPage } from "../pages/page.ts";
import { bodyOf } from "../pages/sheet-page.tsx";
import { findPage } from "../pages/pages.ts";
import { wordsFor } from "../text/fault.ts";
import { Sheet } from "../elements/sheet.tsx";
import { say, whileSlow } from "../window/messages.ts";
import { isLoading } from "./shown.ts";
import { mayLeave } from "./unsaved.ts";

type Base = Omit<App, "place">;
type Shown = { place: Place; page: AnyPage; data: unknown };

const shown = signal<Shown | null>(null);

export const closeSheet = (): void => {
  shown.value = null;
};

/** Closes the sheet unless a text in it would be lost; returns whether it is closed. */
export const leaveSheet = async ({ t }: Pick<Base, "t">): Promise<boolean> => {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.page-sheet[open]");
  if (dialog && !(await mayLeave(t, dialog))) return false;
  closeSheet();
  return true;
};

/** Opens the address as a sheet and loads its data; returns false where it has no page that can be a sheet. */
export const openSheet = (base: Base, address: string): boolean => {
  const url = new URL(address, location.href);
  const match = findPage(url.pathname, base.me !== null);
  if (!match || !(match.page.ready || bodyOf(match.page))) return false;
  const query = Object.fromEntries(url.searchParams);
  const place = { path: url.pathname, params: match.params, query };
  const show = async (): Promise<void> => {
    const page = (await match.page.ready?.()) ?? match.page;
    if (!bodyOf(page)) return location.assign(url);
    shown.value = { place, page, data: await page.load({ ...base, place }) };
  };
  isLoading.value = true;
  whileSlow(inTime(show()), base.t("wait.loading"))
    .catch((error: unknown) => say(wordsFor(base.t, error)))
    .finally(() => (isLoading.value = false));
  return true;
};

export const SheetLayer = ({ base }: { base: Base }) => {
  if (!shown.value) return null;
  const { place, page, data } = shown.value;
  const Body = bodyOf(page)!;
  const { t, store, site } = base;
  return (
    <AppProvider value={{ ...base, place }}>
      <Sheet
        title={page.head(data, { t, store, site, place }).title}
        onClose={() => void leaveSheet(base)}
        class="page-sheet"
      >
        <Body data={data} />
      </Sheet>
    </AppProvider>
  );
};
