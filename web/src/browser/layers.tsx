// Loads and draws what is shown above the page: menus, questions, and pages as sheets.

import { AppProvider } from "../app.ts";
import type { App } from "../app.ts";
import { MenuLayer } from "../elements/menu.tsx";
import { shown } from "./shown.ts";
import { overlay } from "../window/overlay.ts";
import { SheetLayer } from "./page-sheet.tsx";
import { QuestionLayer } from "./question.tsx";

export const Layers = ({ base }: { base: Omit<App, "place"> }) => (
  <>
    <AppProvider value={{ ...base, place: shown.value!.place }}>
      <MenuLayer />
      <QuestionLayer />
    </AppProvider>
    <SheetLayer base={base} />
    {overlay.value?.()}
  </>
);
